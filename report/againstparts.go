package report

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/metric"
)

func (r *againstReport) parts() []piece {
	facts := &grid{Caption: "Both models, and the parameters in which they differ",
		Columns: []column{{Name: "property"}, {Name: "A"}, {Name: "B"}}}
	for _, f := range r.Facts {
		facts.Rows = append(facts.Rows, []cell{text(f.Name), text(f.A), text(f.B)})
	}
	words := fmt.Sprintf("The predictions of %d of %d rows differ, by %s on average and %s at most.",
		r.Different, r.Rows, numberWords(r.Mean, 4), numberWords(r.Largest, 4))
	if r.Labels != nil {
		words += " " + humanize.Count(*r.Labels, "row is", "rows are") + " labeled differently."
	}
	parts := []piece{table(facts), paragraph("%s", words)}
	if r.Metrics != nil {
		parts = append(parts, r.metricTable(), note("Both models are evaluated on the same resampled "+
			"rows. p is how probable so large a difference is if there is none."))
	}
	if r.Undefined != "" {
		parts = append(parts, note("Metrics: %s", r.Undefined))
	}
	parts = append(parts, figures(r.points()))
	if r.Agreement != nil {
		c := confusion{"Labels: rows by that of A (down) and of B (across)", "label of A", "same",
			r.Classes, r.Agreement}
		parts = append(parts, c.table())
	}
	if r.Slices != nil {
		parts = append(parts, r.sliceTable())
	}
	if r.Importances != nil {
		parts = append(parts, r.importanceParts()...)
	}
	if r.Most != nil {
		parts = append(parts, r.mostTable())
	}
	return parts
}

func (r *againstReport) metricTable() piece {
	g := &grid{Caption: "Metrics of both models, and intervals of 95 % of their difference",
		Columns: []column{{Name: "metric"}, {Name: "A", Class: "number"}, {Name: "B", Class: "number"},
			{Name: "B − A", Class: "number"}, {Name: "p", Class: "number"}, {Name: "better"},
			{Name: "meaning", Class: "long"}}}
	for _, m := range r.Metrics {
		better := "not clear"
		if m.Better != "" {
			better = m.Better
		}
		g.Rows = append(g.Rows, []cell{text(metric.Words(m.Name)), amount(m.A, 4), amount(m.B, 4),
			text(numberWords(m.Low, 3) + " to " + numberWords(m.High, 3)), amount(m.P, 2), text(better),
			text(m.Help)})
	}
	return table(g)
}

// points draws the predictions of both models for the sampled rows: those of one output, or of each
// of several classes.
func (r *againstReport) points() captioned {
	p := &figure.Panel{X: figure.Side{Label: "A"}, Y: figure.Side{Label: "B"}}
	rows := 0
	var all [][]float64
	for k := range r.A {
		if r.First >= 0 && k != r.First {
			continue
		}
		l := figure.Layer{Name: r.Outputs[k], Kind: figure.Dots, Colour: svg.ClassColour(k), Faint: true,
			X: floats(r.A[k]), Y: floats(r.B[k])}
		if r.First >= 0 || len(r.A) == 1 {
			l.Name, l.Colour = "", svg.Below
			p.X.Label, p.Y.Label = "A: "+r.Outputs[k], "B: "+r.Outputs[k]
		}
		rows = len(l.X)
		all = append(all, l.X, l.Y)
		p.Layers = append(p.Layers, l)
	}
	if r.Classes != nil {
		p.X.Label, p.Y.Label = "probability by A", "probability by B"
		if r.First >= 0 {
			p.X.Label, p.Y.Label = "A: probability of "+r.Outputs[r.First],
				"B: probability of "+r.Outputs[r.First]
		}
	}
	ends := endsOf(all...)
	p.Layers = append([]figure.Layer{{X: ends, Y: ends, Colour: svg.Faded, Width: 10, Dashed: true,
		Still: true}}, p.Layers...)
	p.Label = fmt.Sprintf("Predictions of model B against those of model A for %d rows.", rows)
	return figureOf("Predictions of both models", p)
}

func (r *againstReport) sliceTable() piece {
	g := &grid{Caption: "Where they differ: leaves of a small tree that is trained on the difference",
		Columns: []column{{Name: "rows where", Class: "long"},
			{Name: "rows", Class: "number", Sort: true},
			{Name: "mean difference", Class: "number", Sort: true}}}
	for _, s := range r.Slices {
		g.Rows = append(g.Rows, []cell{text(s.Rule), count(s.Rows), amount(s.Mean, 4)})
	}
	return table(g)
}

// importanceParts shows the importances of both models.
func (r *againstReport) importanceParts() []piece {
	g := &grid{Caption: "Importances by splits in training, as fractions",
		Columns: []column{{Name: "feature"}, {Name: "A", Class: "measured", Sort: true},
			{Name: "B", Class: "measured", Sort: true}}}
	most := 0.0
	for _, i := range r.Importances {
		most = max(most, i.A, i.B)
	}
	few := r.Importances[:min(shownFeatures, len(r.Importances))]
	for _, i := range few {
		a, b := amount(number(i.A), 3), amount(number(i.B), 3)
		a.Inner = gauge(number(i.A), 0, number(most), 0, 0)
		b.Inner = gauge(number(i.B), 0, number(most), 0, 0)
		g.Rows = append(g.Rows, []cell{text(i.Feature), a, b})
	}
	parts := []piece{table(g)}
	if left := len(r.Importances) - len(few); left > 0 {
		parts = append(parts, note("%s not shown.", humanize.Count(left,
			"feature with a smaller importance is", "features with smaller importances are")))
	}
	return parts
}

// mostTable lists the rows that differ most.
func (r *againstReport) mostTable() piece {
	g := &grid{Caption: "Rows that differ most", Columns: []column{{Name: "row", Sort: true},
		{Name: "label"}, {Name: "A"}, {Name: "B"}, {Name: "difference", Class: "number", Sort: true}}}
	for _, m := range r.Most {
		g.Rows = append(g.Rows, []cell{count(m.Row), valueCell(m.Label), valueCell(m.A),
			valueCell(m.B), amount(m.Gap, 4)})
	}
	return table(g)
}
