// Leafs through the stages of a campaign, and filters its ledger. Without it everything is there, in a row.
"use strict";

(() => {
  const find = (id) => document.getElementById(id);
  const show = (element) => { element.hidden = false; };

  const leafing = () => {
    const atlas = JSON.parse(find("atlas").textContent);
    const stages = [...document.querySelectorAll(".stage")];
    const slide = find("slide"), choose = find("choose"), earlier = find("earlier"), later = find("later");
    const seat = find("seat"), seen = [...document.querySelectorAll("[data-seat], [data-without]")];
    const map = find("map"), sheet = find("sheet"), sizes = [1, 1.6, 2.5, 4];
    let now = -1, size = 0;

    const number = (hash) => {
      const found = /^#s(\d+)$/.exec(hash);
      return found && Number(found[1]) < stages.length ? Number(found[1]) : -1;
    };

    const open = (wanted) => {
      const stage = Math.max(0, Math.min(stages.length - 1, wanted));
      if (stage === now) return;
      if (now >= 0) stages[now].classList.remove("now");
      now = stage;
      stages[now].classList.add("now");
      find("signs").innerHTML = atlas.over[now].map((sign) => atlas.signs[sign]).join("");
      const title = stages[now].querySelector("h2").textContent;
      slide.value = String(now);
      slide.setAttribute("aria-valuetext", title);
      choose.value = String(now);
      earlier.disabled = now === 0;
      later.disabled = now === stages.length - 1;
      find("heard").textContent = title;
      find("over").setAttribute("aria-label", `${map.getAttribute("aria-label")}: ${title}`);
    };

    const go = (wanted) => {
      open(wanted);
      history.replaceState(null, "", `#s${now}`);
    };

    const resize = (step) => {
      const x = (map.scrollLeft + map.clientWidth / 2) / map.scrollWidth;
      const y = (map.scrollTop + map.clientHeight / 2) / map.scrollHeight;
      size = Math.max(0, Math.min(sizes.length - 1, size + step));
      sheet.style.width = `${100 * sizes[size]}%`;
      map.scrollTo(x * map.scrollWidth - map.clientWidth / 2, y * map.scrollHeight - map.clientHeight / 2);
      find("smaller").disabled = size === 0;
      find("larger").disabled = size === sizes.length - 1;
    };

    slide.addEventListener("input", () => go(Number(slide.value)));
    choose.addEventListener("change", () => go(Number(choose.value)));
    earlier.addEventListener("click", () => go(now - 1));
    later.addEventListener("click", () => go(now + 1));
    if (seat) seat.addEventListener("change", () => {
      seen.forEach((each) => {
        const { seat: only, without } = each.dataset;
        each.hidden = only ? only !== seat.value : without.split(" ").includes(seat.value);
      });
    });
    find("larger").addEventListener("click", () => resize(1));
    find("smaller").addEventListener("click", () => resize(-1));
    window.addEventListener("hashchange", () => { if (number(location.hash) >= 0) open(number(location.hash)); });
    document.addEventListener("keydown", (event) => {
      const at = event.target;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      if (at.matches("input, select, textarea") || (at === map && size > 0)) return;
      const steps = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: stages.length - 1 };
      if (!(event.key in steps)) return;
      event.preventDefault();
      go(steps[event.key]);
    });
    document.documentElement.classList.add("js");
    document.querySelectorAll(".leaf, .scripted").forEach(show);
    const asked = number(location.hash);
    open(asked >= 0 ? asked : Number(slide.defaultValue));
    resize(map.clientWidth < 600 ? 2 : 0);
  };

  const filtering = () => {
    const entries = [...find("entries").children];
    const texts = entries.map((entry) => entry.textContent.toLowerCase());
    const kind = find("kind"), player = find("player"), words = find("words");
    const filter = () => {
      const wanted = words.value.trim().toLowerCase();
      let shown = 0;
      entries.forEach((entry, at) => {
        const fits = (!kind.value || entry.dataset.kind === kind.value)
          && (!player.value || entry.dataset.players.split(" ").includes(player.value))
          && texts[at].includes(wanted);
        entry.hidden = !fits;
        shown += fits;
      });
      find("count").textContent = `${shown} / ${entries.length}`;
    };
    [kind, player, words].forEach((field) => field.addEventListener("input", filter));
    find("filters").addEventListener("submit", (event) => event.preventDefault());
    show(find("filters"));
    filter();
  };

  if (find("atlas")) leafing();
  if (find("filters")) filtering();
})();
