"""Games as environments for programs that learn (docs/env.md); needs `pbem[env]`."""
