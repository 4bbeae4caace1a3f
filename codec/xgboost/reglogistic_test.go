package xgboost_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// reg:logistic predicts numbers from 0 to 1, binary:logistic classes, and each is written as
// itself. A model of classes keeps them whatever objective its tool had.
func TestLogisticObjectives(t *testing.T) {
	b, err := os.ReadFile("testdata/reglogistic.json")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := decode(t, xgboost.JSON(), b)
	e := m.(*model.Ensemble)
	if e.Meta.Task != data.Regression || e.Link != link.Link(link.Logistic()) || e.Outputs() != 1 {
		t.Errorf("%s, link %v, %d outputs", e.Meta.Task, e.Link, e.Outputs())
	}
	other := *e
	other.Origin = nil
	classes := *e
	classes.Meta.Task, classes.Meta.Classes = data.Binary, []string{"0", "1"}
	for _, c := range []struct {
		m         *model.Ensemble
		objective string
	}{{e, "reg:logistic"}, {&other, "reg:logistic"}, {&classes, "binary:logistic"}} {
		text := encoded(t, xgboost.JSON(), c.m)
		if !bytes.Contains(text, []byte(`"name":"`+c.objective+`"`)) {
			t.Errorf("%s is written as another objective than %s", c.m.Meta.Task, c.objective)
		}
		again, _ := decode(t, xgboost.JSON(), text)
		if got := again.Spec().Task; got != c.m.Meta.Task {
			t.Errorf("%s became %s", c.m.Meta.Task, got)
		}
	}
	text := strings.Replace(string(b), "reg:logistic", "binary:logistic", 1)
	if m, _ = decode(t, xgboost.JSON(), []byte(text)); m.Spec().Task != data.Binary {
		t.Errorf("binary:logistic is %s", m.Spec().Task)
	}
}
