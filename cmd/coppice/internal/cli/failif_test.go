package cli

import (
	"errors"
	"strings"
	"testing"
)

func TestFailIf(t *testing.T) {
	values := map[string]float64{"auc": 0.7, "psi(a b)": 0.3, "psi(x)": 0, "drifted": 2, "psi(and)": 1}
	known := func() []string {
		names := []string{"ndcg@5"}
		for name := range values {
			names = append(names, name)
		}
		return names
	}
	for _, c := range []struct{ text, want string }{
		{"auc<0.75", `"auc<0.75" holds: auc is 0.7`},
		{"auc < 0.7", ""},
		{"auc<=0.7", "auc is 0.7"},
		{"drifted==2 and psi(a b)>=0.3", "drifted is 2, psi(a b) is 0.3"},
		{"drifted==2 and psi(x)>0", ""},
		{"psi(and)>0 and psi(and)>=1", "psi(and) is 1, psi(and) is 1"},
		{"drifted>1e1", ""},
		{"drifted>-1", "drifted is 2"},
		{"ndcg@5<1", `"ndcg@5<1": nothing has ndcg@5`},
		{"auc", "want FIGURE OP NUMBER"},
		{"auc<", "want FIGURE OP NUMBER"},
		{"auc<x", "want FIGURE OP NUMBER"},
		{"auc<nan", "want FIGURE OP NUMBER"},
		{"auc=0.7", "want FIGURE OP NUMBER"},
		{"auc<0.7 or drifted>0", "want FIGURE OP NUMBER"},
		{"auc<0.7 and", "want FIGURE OP NUMBER"},
		{"", "want FIGURE OP NUMBER"},
		{"acu<0.7", "there is no acu: did you mean auc?"},
		{"psi(y)>0.2", "there is no psi(y): did you mean psi(x)?"},
		{"something>1", "there is no something: want auc, drifted, ndcg@5 or psi(COLUMN)"},
	} {
		o := FailIfFlag{texts: []string{"drifted>9", c.text}}
		err := o.Check(known)
		misuse := err != nil
		if err == nil {
			err = o.Holds(func(figure string) (float64, error) {
				if v, found := values[figure]; found {
					return v, nil
				}
				return 0, errors.New("nothing has " + figure)
			})
		}
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		status := (&Console{Err: &strings.Builder{}}).Finish(err)
		want := 4
		if strings.Contains(c.want, "nothing has") {
			want = 1
		} else if misuse {
			want = 2
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || status != want {
			t.Errorf("%q: status %d, %v, want %q", c.text, status, err, c.want)
		}
	}
}
