// The one function of Vega that the page uses: it draws a Vega-Lite chart into an element.
import embed from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';

// Expressions are interpreted as syntax trees: the page's policy forbids eval. Tooltips, menus and
// styles of vega-embed are off, since they would need styles that the policy does not know.
globalThis.drawChart = (element, spec, tooltip) =>
  embed(element, spec, {
    mode: 'vega-lite',
    renderer: spec.usermeta?.renderer ?? 'svg',
    ast: true,
    expr: expressionInterpreter,
    actions: false,
    defaultStyle: false,
    hover: false,
    tooltip,
  });
