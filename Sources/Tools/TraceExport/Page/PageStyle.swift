/// How the page looks, light and dark, on screens and on paper.
enum PageStyle {
    /// The whole style.
    static let text = colours + "\n" + layout + "\n" + parts + "\n" + paper

    private static let light = """
        --paper: #ffffff; --back: #f4f6f8; --grid: #e8ecf0; --edge: #d3dae1; --text: #1b2129;
        --faint: #5f6b78; --raw: #93a1b0; --input: #0a62c9; --output: #a84f00; --credit: #157a35;
        --accent: #0a62c9; --rest: #e4e9ee; --go: #1f8f45; --move: #1b6fd0; --wait: #a86a00;
        --halt: #c62a2a; --service: #7a45c4; --on-band: #ffffff; --info: #66788a;
        --notice: #0a62c9; --warning: #b06a00; --error: #c62a2a; --critical: #c62a2a;
        --cursor-a: #b3006b; --cursor-b: #00757d; --brush: rgba(10, 98, 201, .12);
        --shade: 0 6px 24px rgba(20, 30, 40, .18); color-scheme: light;
        """
    private static let dark = """
        --paper: #14181d; --back: #0e1115; --grid: #20272f; --edge: #303a45; --text: #e4e9ee;
        --faint: #8e9baa; --raw: #62707f; --input: #52b6ff; --output: #ffb454; --credit: #6fdc8c;
        --accent: #52b6ff; --rest: #262e37; --go: #2f9e57; --move: #2f7fe0; --wait: #b97a14;
        --halt: #d64545; --service: #8b5ad6; --on-band: #ffffff; --info: #8497aa;
        --notice: #52b6ff; --warning: #ffb02e; --error: #ff6b64; --critical: #ff6b64;
        --cursor-a: #ff7ac6; --cursor-b: #3fd6d0; --brush: rgba(82, 182, 255, .16);
        --shade: 0 6px 24px rgba(0, 0, 0, .6); color-scheme: dark;
        """

    private static var colours: String {
        """
        :root { \(light) }
        @media (prefers-color-scheme: dark) { :root { \(dark) } }
        :root[data-theme=light] { \(light) }
        :root[data-theme=dark] { \(dark) }
        :root.printing { \(light) --back: #ffffff; }
        """
    }

    private static let layout = """
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html, body { height: 100%; }
        body { margin: 0; display: flex; flex-direction: column; background: var(--back);
          color: var(--text); font: 14px/1.4 system-ui, "Segoe UI", Roboto, "DejaVu Sans",
          sans-serif; }
        #top { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: center;
          padding: 8px 14px; background: var(--paper); border-bottom: 1px solid var(--edge); }
        h1 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
        #span { margin: 0; color: var(--faint); font-size: 12px;
          font-variant-numeric: tabular-nums; }
        #sums { margin: 0; display: flex; flex-wrap: wrap; gap: 0 14px; color: var(--faint);
          font-size: 12px; }
        #sums b { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
        #top .tools { margin-left: auto; display: flex; gap: 4px; align-items: center;
          flex-wrap: wrap; }
        .gap { width: 8px; }
        #overview { display: block; background: var(--paper); cursor: grab; touch-action: none;
          border-bottom: 1px solid var(--edge); flex: none; }
        #main { flex: 1; min-height: 0; display: flex; }
        #chart { flex: 1; min-width: 0; min-height: 0; display: flex; flex-direction: column;
          background: var(--paper); }
        #ruler-line { display: flex; flex: none; height: 31px; border-bottom: 1px solid var(--edge);
          background: var(--paper); }
        #moment { width: 200px; flex: none; padding: 7px 12px; color: var(--faint); font-size: 12px;
          border-right: 1px solid var(--edge); font-variant-numeric: tabular-nums; }
        #ruler { cursor: col-resize; touch-action: none; }
        #scroll { flex: 1; min-height: 0; overflow: hidden auto; display: flex;
          align-items: flex-start; scrollbar-gutter: stable; }
        #labels { position: relative; width: 200px; flex: none;
          border-right: 1px solid var(--edge); }
        #field { position: relative; flex: 1; min-width: 0; overflow: hidden; }
        .printing #field { flex: none; }
        #field canvas { display: block; }
        #plot { cursor: crosshair; touch-action: pan-y; }
        #overlay { position: absolute; inset: 0; pointer-events: none; }
        #panel { width: 340px; flex: none; display: flex; flex-direction: column; min-height: 0;
          border-left: 1px solid var(--edge); background: var(--paper); }
        #bottom { display: flex; flex-wrap: wrap; gap: 0 24px; padding: 4px 14px; font-size: 12px;
          white-space: pre-wrap; color: var(--faint); background: var(--paper);
          border-top: 1px solid var(--edge); font-variant-numeric: tabular-nums; flex: none; }
        #cursors { color: var(--text); }
        #voice { position: absolute; width: 1px; height: 1px; overflow: hidden;
          clip-path: inset(50%); }
        @media screen and (max-width: 900px) {
          #main { flex-direction: column; }
          #panel { width: auto; height: 40%; border-left: 0; border-top: 1px solid var(--edge); }
          #labels, #moment { width: 130px; }
          #moment { padding: 7px 8px; }
          #labels .row { padding: 0 6px 0 8px; }
          #labels .hide { display: none; }
          .popover { right: 0; max-width: 100vw; }
        }
        """

    private static let parts = """
        button, input { font: inherit; color: inherit; }
        button { background: var(--back); border: 1px solid var(--edge); border-radius: 6px;
          padding: 3px 10px; cursor: pointer; }
        button:hover { border-color: var(--accent); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
        input[type=search] { background: var(--back); border: 1px solid var(--edge);
          border-radius: 6px; padding: 4px 8px; min-width: 0; }
        input::placeholder { color: var(--faint); }
        .check { display: inline-flex; gap: 6px; align-items: center; font-size: 13px; }
        input[type=checkbox] { accent-color: var(--accent); margin: 0; }
        #labels .group { position: absolute; left: 0; width: 100%; height: 24px; border: 0;
          border-radius: 0; background: var(--grid); color: var(--faint); text-align: left;
          font-size: 11px; font-weight: 600; padding: 0 12px; white-space: nowrap;
          overflow: hidden; text-overflow: ellipsis; }
        #labels .row { position: absolute; left: 0; width: 100%; display: flex; gap: 6px;
          align-items: center; padding: 0 6px 0 14px; border-bottom: 1px solid var(--grid); }
        #labels .name { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
          overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        #labels .value { margin-left: auto; color: var(--accent); font-size: 12px;
          white-space: nowrap; font-variant-numeric: tabular-nums; flex: none; }
        #labels .band .name { flex: none; }
        #labels .band .value { flex: 0 1 auto; overflow: hidden; text-overflow: ellipsis; }
        #labels .hide { border: 0; background: none; color: var(--faint); padding: 0 5px;
          opacity: 0; flex: none; }
        #labels .row:hover .hide, #labels .hide:focus-visible { opacity: 1; }
        #tip { position: absolute; max-width: 260px; padding: 3px 8px; border-radius: 6px;
          background: var(--text); color: var(--paper); font-size: 12px; pointer-events: none;
          overflow-wrap: anywhere; z-index: 2; }
        .popover { position: absolute; top: 48px; right: 14px; z-index: 5; width: 340px;
          max-height: 76vh; overflow: auto; padding: 12px; background: var(--paper);
          border: 1px solid var(--edge); border-radius: 10px; box-shadow: var(--shade); }
        .popover input[type=search] { width: 100%; }
        .popover .all { display: flex; gap: 6px; margin: 8px 0; }
        fieldset { border: 0; border-top: 1px solid var(--grid); margin: 8px 0 0; padding: 6px 0 0;
          display: grid; grid-template-columns: 1fr 1fr; gap: 3px 10px; }
        legend { padding: 0 6px 0 0; color: var(--faint); font-size: 12px; font-weight: 600; }
        .idle { color: var(--faint); }
        #legend { width: auto; }
        #legend ul { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 0;
          padding: 2px 0; font-size: 12px; }
        #legend .title { color: var(--faint); font-weight: 600; min-width: 64px; }
        #legend .patch { display: inline-block; width: 14px; height: 11px;
          background: currentColor; }
        #legend .stroke { display: inline-block; width: 14px; border-top: 2px solid;
          vertical-align: middle; }
        #left-out { margin: 0; padding: 2px 14px; font-size: 12px; overflow-wrap: anywhere; }
        #keys { display: grid; grid-template-columns: auto 1fr; gap: 5px 14px; margin: 0; }
        #keys dt { font-weight: 600; white-space: nowrap; }
        #keys dd { margin: 0; color: var(--faint); }
        #record { padding: 12px 14px; border-bottom: 1px solid var(--edge); max-height: 55%;
          overflow: auto; flex: none; }
        #record .empty { margin: 0; color: var(--faint); }
        #record .head { display: flex; gap: 8px; align-items: center; }
        #record h2 { font-size: 14px; margin: 0; }
        #record .sentence { margin: 8px 0; font-size: 15px; overflow-wrap: anywhere; }
        .badge { font-size: 11px; font-weight: 600; padding: 1px 8px; border-radius: 9px;
          color: var(--paper); background: var(--info); }
        .dot { width: 8px; height: 8px; border-radius: 50%; background: var(--info); flex: none;
          align-self: center; }
        .badge.notice, .dot.notice { background: var(--notice); }
        .badge.warning, .dot.warning { background: var(--warning); }
        .badge.error, .dot.error, .badge.critical, .dot.critical { background: var(--error); }
        .dot.warning, .dot.error, .dot.critical { border-radius: 1px; transform: rotate(45deg); }
        .facts { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0 0 10px;
          font-size: 12px; }
        .facts dt { color: var(--faint); }
        .facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
        #record .tools { display: flex; gap: 6px; flex-wrap: wrap; font-size: 12px; }
        .filter { display: flex; gap: 10px; align-items: center; padding: 8px 14px;
          border-bottom: 1px solid var(--grid); flex: none; }
        .filter input { flex: 1; }
        #found { color: var(--faint); font-size: 12px; white-space: nowrap; }
        #list { list-style: none; margin: 0; padding: 4px 0; overflow: auto; flex: 1;
          min-height: 0; }
        #list button { display: flex; gap: 8px; width: 100%; border: 0; border-radius: 0;
          background: none; text-align: left; padding: 3px 14px; align-items: baseline; }
        #list button:hover { background: var(--grid); }
        #list [aria-current] { background: var(--brush); box-shadow: inset 3px 0 var(--accent); }
        #list time { color: var(--faint); font: 11px ui-monospace, "DejaVu Sans Mono", Menlo,
          Consolas, monospace; flex: none; }
        #list .words { font-size: 13px; overflow-wrap: anywhere; }
        #list .more { padding: 6px 14px; color: var(--faint); font-size: 12px; }
        """

    private static let paper = """
        @media print {
          @page { size: A4 landscape; margin: 12mm; }
          html, body { height: auto; }
          body { display: block; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          .tools, .popover:not(#legend), .filter, #overview, #field #overlay, #tip, #labels .hide,
          #list .more, #record .empty, #bottom { display: none !important; }
          #main, #chart, #scroll, #panel { overflow: visible; height: auto; }
          #main { display: block; }
          #legend { display: block !important; position: static; padding: 2px 14px; border: 0;
            border-radius: 0; box-shadow: none; overflow: visible; }
          #chart, #panel { display: block; width: auto; border: 0; max-height: none; }
          #scroll { display: flex; }
          :focus-visible { outline: none; }
          #panel { break-before: page; padding-top: 4px; }
          #record { max-height: none; break-inside: avoid; }
          #list { columns: 2; overflow: visible; }
          #list li { break-inside: avoid; }
        }
        """
}
