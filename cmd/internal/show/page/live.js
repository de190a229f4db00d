(() => {
  "use strict";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const state = document.getElementById("live");
  const say = text => { if (state && state.textContent !== text) state.textContent = text; };

  // The address after /login# is the token, which so reaches no log of a server.
  const field = document.querySelector("form.login input[name=token]");
  if (field && location.hash.length > 1) {
    field.value = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
    field.form.submit();
    return;
  }

  // Parts of the page that changed on the server are replaced. A part in which somebody types stays.
  const received = new Map(all("[data-live]").map(e => [e.id, e.outerHTML]));
  const name = d => d.id || d.querySelector("summary").textContent;
  const replace = (old, fresh) => {
    const opened = new Map(all("details", old).map(d => [name(d), d.open]));
    const active = old.contains(document.activeElement) ? document.activeElement : null;
    const at = active && all(active.tagName, old).indexOf(active);
    const next = document.adoptNode(fresh);
    all("details", next).forEach(d => { if (opened.has(name(d))) d.open = opened.get(name(d)); });
    old.replaceWith(next);
    const sorts = all("table.sortable", old).map(t => {
      const heads = all("thead th", t), i = heads.findIndex(th => th.ariaSort);
      return { i, down: i >= 0 && heads[i].ariaSort === "descending" };
    });
    next.dispatchEvent(new CustomEvent("parallax", { bubbles: true }));
    all("table.sortable", next).forEach((t, k) => {
      const button = sorts[k] && all("thead th", t)[sorts[k].i]?.querySelector("button");
      if (button) for (let n = sorts[k].down ? 2 : 1; n > 0; n--) button.click();
    });
    if (active) {
      const same = all(active.tagName, next)[at];
      if (same) same.focus({ preventScroll: true });
    }
  };
  const swap = page => {
    all("[data-live]", page).forEach(fresh => {
      const text = fresh.outerHTML;
      const old = document.getElementById(fresh.id);
      if (!old || received.get(fresh.id) === text) return;
      if (old.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")) return;
      received.set(fresh.id, text);
      replace(old, fresh);
    });
  };
  let busy = false, again = false;
  const update = async () => {
    if (document.hidden || busy) {
      again = true;
      return;
    }
    busy = true;
    again = false;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.ok) swap(new DOMParser().parseFromString(await answer.text(), "text/html"));
      else say("this part is gone");
    } catch { /* the events say so */ }
    setTimeout(() => {
      busy = false;
      if (again) update();
    }, 1000);
  };

  // A part of the time is chosen on a plot: by dragging, or with + and - and 0 on the focused one.
  const go = (from, to) => {
    const at = new URL(location);
    at.search = "";
    if (from !== null) at.searchParams.set("from", from);
    if (to !== null) at.searchParams.set("to", to);
    history.pushState(null, "", at);
    update();
  };
  addEventListener("popstate", () => { if (document.querySelector(".plot svg[data-from]")) update(); });
  const scale = svg => {
    const whole = svg.viewBox.baseVal, grid = svg.querySelector("line.grid");
    const left = Number(grid.getAttribute("x1")), right = Number(grid.getAttribute("x2"));
    const from = Number(svg.dataset.from), end = Number(svg.dataset.end);
    const seconds = x => Math.max(from, Math.min(end, from + (x - left) / (right - left) * (end - from)));
    const pointed = e => { const box = svg.getBoundingClientRect(); return (e.clientX - box.left) / box.width * whole.width; };
    return { from, end, seconds, pointed };
  };
  const cut = s => String(Math.round(s * 1000) / 1000);
  document.addEventListener("keydown", e => {
    const svg = e.target.closest?.(".plot svg[data-from]");
    if (!svg || e.ctrlKey || e.metaKey || e.altKey) return;
    const s = scale(svg), shown = svg.querySelector("g.at.on line");
    const middle = shown ? s.seconds(Number(shown.getAttribute("x1"))) : (s.from + s.end) / 2;
    const half = (s.end - s.from) / 2;
    if (e.key === "0") go(null, null);
    else if (e.key === "+" || e.key === "=") go(cut(Math.max(0, middle - half / 2)), cut(middle + half / 2));
    else if (e.key === "-") go(cut(Math.max(0, middle - half * 2)), cut(middle + half * 2));
    else return;
    e.preventDefault();
  });
  let drag = null;
  document.addEventListener("pointerdown", e => {
    const svg = e.button === 0 && e.target.closest(".plot svg[data-from]");
    if (svg) drag = { svg, x: scale(svg).pointed(e), box: null };
  });
  document.addEventListener("pointermove", e => {
    if (!drag) return;
    const x = scale(drag.svg).pointed(e);
    if (!drag.box && Math.abs(x - drag.x) > 4) {
      drag.box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      drag.box.setAttribute("class", "chosen");
      drag.box.setAttribute("height", drag.svg.viewBox.baseVal.height);
      drag.svg.append(drag.box);
    }
    if (!drag.box) return;
    drag.box.setAttribute("x", Math.min(x, drag.x));
    drag.box.setAttribute("width", Math.abs(x - drag.x));
    getSelection().removeAllRanges();
  });
  document.addEventListener("pointerup", e => {
    if (!drag) return;
    const { svg, x, box } = drag, s = scale(svg), list = [s.seconds(x), s.seconds(s.pointed(e))].sort((a, b) => a - b);
    drag = null;
    if (!box) return;
    box.remove();
    if (list[1] > list[0]) go(cut(list[0]), cut(list[1]));
  });

  // A hidden page has no connection: browsers permit six of one host.
  const path = document.body.dataset.events;
  if (!path) return;
  let last = document.body.dataset.state, events = null;
  const connect = () => {
    if (document.hidden) {
      if (events) events.close();
      events = null;
      return;
    }
    if (events) return;
    events = new EventSource(path);
    events.addEventListener("state", e => {
      say("live");
      if (last !== e.data) update();
      last = e.data;
    });
    events.addEventListener("error", () => say("not connected"));
  };
  document.addEventListener("visibilitychange", () => {
    connect();
    if (again) update();
  });
  connect();
})();
