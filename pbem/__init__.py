"""Play MARIA and FRIEDRICH by mail: rules engine, adjudicator, reports and archive."""

__version__ = "0.5.0"
