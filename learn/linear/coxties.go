package linear

import "github.com/coppice-ml/coppice/param"

// Ties is the rule for events that were seen at the same time.
type Ties = param.Enum[tiesNames]

// The rules.
const (
	// Efron 1977: the events of one time leave one after another, in every order at once, so that
	// each is compared with what is left on average. It is nearer to the likelihood of times that
	// were rounded.
	TiesEfron Ties = iota
	// Breslow 1974: all events of one time are compared with the same rows. A row of weight 2 is
	// two rows.
	TiesBreslow
)

type tiesNames struct{}

func (tiesNames) Enum() (string, []string) { return "ties", []string{"efron", "breslow"} }
