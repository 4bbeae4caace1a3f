package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
)

// frozen is what the tests of codec/formats read of a case, beside its model in NAME.coppice.
type frozen struct {
	Rows   [][]number       `json:"rows"` // numbers and codes, -1 a category that training had not
	Scored []frozenByClient `json:"scored"`
}

// frozenByClient is what a client predicts by a file. The file is not kept: SHA-256 identifies it.
type frozenByClient struct {
	Client string `json:"client"`
	Format string `json:"format"`
	SHA256 string `json:"sha256"`
	// Slack is what scores may differ by, relative to those above 1
	Slack float64 `json:"slack"`
	*predictions
}

// freezeAll writes what the clients predict. Scores are rounded to nine digits, of LightGBM to 17.
func (r *run) freezeAll(all []*made) error {
	for _, m := range all {
		f := &frozen{}
		for _, row := range m.rows.values {
			values := make([]number, len(row))
			for c, x := range row {
				if values[c] = number(x); m.rows.fields[c].Levels != nil && x >= float64(len(m.rows.fields[c].Levels)) {
					values[c] = -1
				}
			}
			f.Rows = append(f.Rows, values)
		}
		for _, c := range r.clients {
			for _, format := range c.formats {
				p := m.by[c][format]
				if p == nil || format == "xgboost-ubjson" { // the same model as in JSON
					continue
				}
				b, err := os.ReadFile(m.base + endings[format])
				if err != nil {
					return err
				}
				sum := sha256.Sum256(b)
				if !c.double {
					p = shorten(p)
				}
				f.Scored = append(f.Scored, frozenByClient{c.name + " " + c.version, format,
					hex.EncodeToString(sum[:]), c.slack, p})
			}
		}
		if len(f.Scored) == 0 {
			continue
		}
		b, err := json.Marshal(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.freeze, m.name+".json"), append(b, '\n'), 0o644); err != nil {
			return err
		}
		model, err := os.ReadFile(m.base + ".coppice")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.freeze, m.name+".coppice"), model, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// shorten rounds scores of single precision to the digits that they have.
func shorten(p *predictions) *predictions {
	own := *p
	own.Scores = nil
	for _, row := range p.Scores {
		scores := make([]number, len(row))
		for k, x := range row {
			if scores[k] = x; x != 0 && !math.IsInf(float64(x), 0) && x == x {
				digits := math.Pow(10, 8-math.Floor(math.Log10(math.Abs(float64(x)))))
				scores[k] = number(math.Round(float64(x)*digits) / digits)
			}
		}
		own.Scores = append(own.Scores, scores)
	}
	return &own
}
