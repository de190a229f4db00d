"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const byId = id => document.getElementById(id);
  // Light and dark. A browser may refuse to remember it for a file.
  const root = document.documentElement;
  const remember = mode => { try { localStorage.setItem("parallax-theme", mode); } catch { /* then not */ } };
  try {
    const mode = localStorage.getItem("parallax-theme");
    if (mode === "light" || mode === "dark") root.dataset.theme = mode;
  } catch { /* the system's */ }
  all(".theme").forEach(b => b.addEventListener("click", () => {
    const now = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
    remember(root.dataset.theme);
  }));

  // What an address leads to is opened.
  const reveal = id => {
    const target = id && byId(id);
    if (!target) return;
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    target.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" });
  };
  const fromHash = () => { try { reveal(decodeURIComponent(location.hash.slice(1))); } catch { /* no address of ours */ } };
  addEventListener("hashchange", fromHash);
  fromHash();
  // Values of plots, under the pointer and with the arrow keys.
  const tip = byId("tip");
  const place = (e, box, gap) => {
    const width = e.offsetWidth, height = e.offsetHeight, edge = document.documentElement.clientWidth;
    const left = Math.max(6, Math.min(box.left + box.width / 2 - width / 2, edge - width - 6));
    const top = box.top > height + gap + 56 ? box.top - height - gap : box.bottom + gap;
    e.style.left = left + scrollX + "px";
    e.style.top = top + scrollY + "px";
  };
  // An input that executes a line, beside the line.
  const card = byId("card");
  let opener = null;
  const closeCard = () => {
    if (card.hidden) return;
    card.hidden = true;
    if (opener) opener.focus({ preventScroll: true });
    opener = null;
  };
  document.addEventListener("click", e => {
    const link = e.target.closest(".src td a");
    if (!link) {
      if (!card.contains(e.target)) closeCard();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    const input = byId(link.getAttribute("href").slice(1));
    if (!input) return;
    e.preventDefault();
    card.replaceChildren(...[...input.childNodes].map(n => n.cloneNode(true)));
    all("pre", card).forEach(copies);
    card.hidden = false;
    opener = link;
    place(card, link.getBoundingClientRect(), 6);
    card.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", e => { if (e.key === "Escape") closeCard(); });

  // Commands and files can be copied.
  const copies = pre => {
    if (!pre.classList.contains("copy")) return;
    const old = pre.querySelector(":scope > button");
    if (old) old.remove();
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    const text = pre.textContent;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        const range = document.createRange();
        range.selectNodeContents(pre.firstChild);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    pre.classList.add("copies");
    pre.append(button);
  };
  // A part of the page gets its behavior when it comes in.
  const enliven = from => {
    all(".filter, .tools, .theme, .script", from).forEach(e => { e.hidden = false; });
    all("[data-open], [data-close]", from).forEach(b => b.addEventListener("click", () => {
      const open = "open" in b.dataset;
      all(":scope > details", byId(b.dataset.open || b.dataset.close)).forEach(d => { d.open = open; });
    }));


    // Tables are sorted by their heads: numbers by size, text by the alphabet.
    all("table.sortable", from).forEach(table => {
      const body = table.tBodies[0];
      const heads = all("thead th", table);
      const value = (row, i) => row.cells[i].dataset.v ?? row.cells[i].textContent.trim();
      heads.forEach((th, i) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...th.childNodes);
        th.append(button);
        button.addEventListener("click", () => {
          const up = th.getAttribute("aria-sort") !== "ascending";
          heads.forEach(h => h.removeAttribute("aria-sort"));
          th.setAttribute("aria-sort", up ? "ascending" : "descending");
          const key = new Map([...body.rows].map(r => [r, value(r, i)]));
          const number = s => Number(s.replaceAll(",", ""));
          const numbers = [...key.values()].every(s => s !== "" && !Number.isNaN(number(s)));
          const compare = numbers ? (a, b) => number(a) - number(b) : (a, b) => a < b ? -1 : a > b ? 1 : 0;
          const rows = [...body.rows].sort((a, b) => compare(key.get(a), key.get(b)) * (up ? 1 : -1));
          body.append(...rows);
        });
      });
    });

    // The filter hides rows of the table and the findings they lead to.
    all("[data-filter]", from).forEach(box => {
      const rows = [...byId(box.dataset.filter).tBodies[0].rows];
      const out = box.closest(".filter").querySelector("output");
      box.addEventListener("input", () => {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        rows.forEach(row => {
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every(w => text.includes(w));
          if (!row.hidden) shown++;
          const link = row.querySelector("a.id");
          const full = link && byId(link.getAttribute("href").slice(1));
          if (full) full.hidden = row.hidden;
        });
        out.textContent = words.length ? shown + " of " + rows.length : "";
      });
    });

    all(".plot svg", from).forEach(svg => {
      const columns = all("g.at", svg).map(g => {
        const title = g.querySelector("title");
        const text = title.textContent;
        title.remove(); // it would show beside ours
        return { g, text };
      });
      let at = -1;
      const show = i => {
        hide();
        at = i;
        columns[i].g.classList.add("on");
        tip.textContent = columns[i].text;
        tip.hidden = false;
        const box = svg.getBoundingClientRect();
        const line = columns[i].g.querySelector("line").getBoundingClientRect();
        place(tip, { left: line.left, width: line.width, top: box.top, bottom: box.bottom }, 2);
      };
      const hide = () => {
        if (at >= 0) columns[at].g.classList.remove("on");
        at = -1;
        tip.hidden = true;
      };
      columns.forEach((c, i) => c.g.addEventListener("pointerenter", () => show(i)));
      svg.addEventListener("pointerleave", hide);
      svg.addEventListener("blur", hide);
      svg.addEventListener("keydown", e => {
        const last = columns.length - 1;
        const to = { ArrowLeft: at < 0 ? last : at - 1, ArrowRight: at + 1, Home: 0, End: last }[e.key];
        if (e.key === "Escape") hide();
        if (to === undefined) return;
        e.preventDefault();
        show(Math.max(0, Math.min(last, to)));
      });
    });

    all("pre.copy", from).forEach(copies);
    all("[data-copy]", from).forEach(button => {
      const name = button.textContent;
      button.addEventListener("click", async () => {
        const pre = byId(button.dataset.copy);
        const text = pre.firstChild.textContent;
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = "Copied";
        } catch {
          reveal(pre.id);
          getSelection().selectAllChildren(pre.firstChild.parentNode);
          button.textContent = "Selected";
        }
        setTimeout(() => { button.textContent = name; }, 1500);
      });
    });
  };
  enliven(document);
  document.addEventListener("parallax", e => enliven(e.target));

  // On paper all findings are open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details.finding:not([open]), details.folded:not([open]), details.folder:not([open])");
    closed.forEach(d => { d.open = true; });
  });
  addEventListener("afterprint", () => { closed.forEach(d => { d.open = false; }); });
})();
