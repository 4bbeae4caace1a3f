package loss_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/losstest"
)

// A choice is auto, a name, a loss of the package, or one's own under any name.
func TestChoice(t *testing.T) {
	own := &loss.Pointwise{}
	for _, c := range []struct {
		choice      loss.Choice
		task        data.Task
		name, entry string // entry "": there is none
	}{
		{loss.Choice{}, data.Multiclass, "auto", "softmax"},
		{loss.Choice{Name: "auto"}, data.Survival, "auto", "cox"},
		{loss.Choice{}, data.Anomaly, "auto", ""},
		{loss.Choice{Name: "huber"}, data.Regression, "huber", "huber"},
		{loss.Choice{Loss: losstest.New("huber", "delta=2")}, data.Regression, "huber", "huber"},
		{loss.Choice{Loss: own}, data.Regression, "", ""},
		{loss.Choice{Loss: own, Name: "mine"}, data.Regression, "mine", ""},
		{loss.Choice{Loss: own, Name: "huber"}, data.Regression, "huber", ""},
		{loss.Choice{Name: "hubber"}, data.Regression, "hubber", ""},
	} {
		name, _ := c.choice.Chosen()
		e, ok := c.choice.Entry(c.task)
		if name != c.name || ok != (c.entry != "") || ok && e.Name != c.entry {
			t.Errorf("%+v: name %q, entry %q %v, want %q and %q", c.choice, name, e.Name, ok,
				c.name, c.entry)
		}
	}
	var c loss.Choice
	params, store, err := c.Choose("mse")
	if err != nil || len(params) != 0 || c.Loss != nil {
		t.Fatalf("%v, %v, %v", params, err, c)
	}
	store()
	if e, ok := c.Entry(data.Auto); !ok || e.Name != "squared" {
		t.Errorf("chose %+v", c)
	}
	if _, _, err := c.Choose("hubber"); err == nil ||
		err.Error() != `there is no loss "hubber": did you mean "huber"?` {
		t.Errorf("error %v", err)
	}
}
