// The pictures: one for each method, seen by the same camera.
"use strict";
(function (page) {
  const { element } = page;
  const NUMBERS = 400000; // that the frames of a trail may have

  // `touched` is called when the pictures must be drawn again although nothing has moved.
  page.openLanes = function (parent, ask, touched) {
    const lanes = [];
    let camera = null, paths = true, following = false, methods = [];

    const colour = (k) => page.palette()[k % page.palette().length];
    function options(select, chosen) {
      select.textContent = "";
      const group = (title, list) => {
        if (!list.length) return;
        const g = element("optgroup");
        g.label = title;
        for (const m of list) { const o = element("option", m.id); o.value = m.id; o.title = `${m.title}, order ${m.order}`; o.selected = m.id === chosen; g.append(o); }
        select.append(g);
      };
      group("worth trying", methods.filter((m) => m.first));
      group("all others", methods.filter((m) => !m.first));
      if (chosen && select.value !== chosen) { const o = element("option", chosen); o.value = chosen; o.selected = true; select.prepend(o); }
    }

    function make(k) {
      const card = element("div", undefined, "card lane"), head = element("div", undefined, "lane-head"), dot = element("i"), select = element("select");
      const what = element("span", "", "what"), canvas = element("canvas"), names = element("p", undefined, "names"), state = element("p", "", "state");
      canvas.tabIndex = 0;
      canvas.setAttribute("aria-label", "the motion; drag to turn, wheel to zoom");
      select.setAttribute("aria-label", "method");
      select.addEventListener("change", () => ask({ do: "method", lane: k, id: select.value }));
      head.append(dot, select, what);
      if (k > 0) {
        const shut = element("button", "✕", "shut");
        shut.title = "show one method only";
        shut.addEventListener("click", () => ask({ do: "beside", id: null }));
        head.append(shut);
      }
      card.append(head, canvas, names, state);
      parent.append(card);
      return { card, dot, select, what, canvas, names, state, stage: null, run: -1, most: 1200, ended: false };
    }
    // In their order, whichever speaks first.
    const lane = (k) => { while (lanes.length <= k) lanes.push(make(lanes.length)); return lanes[k]; };
    const paint = (l, k) => { l.dot.style.background = colour(k); };
    page.redraw.push(() => lanes.forEach((l, k) => { paint(l, k); if (l.stage) l.stage.redraw(); touched(); }));

    return {
      list: lanes,
      setMethods(list) { methods = list; },
      // As many lanes as there are methods.
      setCount(n) { while (lanes.length > n) lanes.pop().card.remove(); },
      begin(k, message) {
        const l = lane(k), m = message.method;
        options(l.select, m.id);
        paint(l, k);
        l.what.textContent = `${m.title} · order ${m.order}`;
        l.what.title = `${m.title}, order ${m.order}; conserves ${m.conserves}`;
        l.state.classList.remove("bad");
        l.state.textContent = "";
        l.ended = false;
      },
      scene(k, scene) {
        const l = lane(k), width = scene.moving.reduce((s, [, , w]) => s + w, 0);
        scene.live = true;
        l.most = Math.max(120, Math.min(1500, Math.floor(NUMBERS / Math.max(1, width))));
        scene.tail = 900;
        const same = l.stage && JSON.stringify(l.stage.scene.moving) === JSON.stringify(scene.moving);
        if (same) l.stage.setScene(scene);
        else {
          const canvas = l.canvas.cloneNode();
          l.canvas.replaceWith(canvas);
          l.canvas = canvas;
          if (!camera) { camera = page.camera(scene.view); camera.listeners.push(touched); }
          scene.times = [];
          l.stage = page.openStage(canvas, scene, camera);
        }
        l.stage.paths = paths;
        l.stage.following = following;
        l.stage.nameInto(l.names);
        l.note = scene.note;
        l.canvas.title = scene.note;
      },
      // Rows of a message: a time, errors, and the numbers of what moves.
      frames(k, run, data, from, rows, width, errors, bounds, radius) {
        const l = lane(k);
        if (!l.stage) return;
        if (run !== l.run) { l.stage.clear(); l.run = run; }
        for (let r = 0, at = from; r < rows; r++, at += 1 + errors + width) {
          const t = data[at];
          // The same state twice: where a task began.
          if (l.stage.times.length && t === l.stage.times[l.stage.times.length - 1]) continue;
          l.stage.append(t, data, at + 1 + errors);
        }
        if (l.stage.times.length > 2 * l.most) l.stage.forget(l.stage.times.length - l.most);
        l.stage.setBounds(bounds, radius);
      },
      fail(k, text) { const l = lane(k); l.ended = true; l.state.textContent = text; l.state.classList.add("bad"); },
      tell(k, text) { const l = lanes[k]; if (l && !l.ended) l.state.textContent = text; },
      draw(t) { for (const l of lanes) if (l.stage) l.stage.draw(t); },
      get canFollow() { return lanes.some((l) => l.stage && l.stage.scene.near); },
      setPaths(on) { paths = on; for (const l of lanes) if (l.stage) l.stage.paths = on; touched(); },
      setFollowing(on) { following = on; for (const l of lanes) if (l.stage) l.stage.following = on; touched(); },
    };
  };
})(window.lieflow);
