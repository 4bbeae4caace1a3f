package isolation

// What the tests of the definitions need.
var (
	UsualPaths = usualPaths
	Exceeded   = exceeded
)

// Summary is what the tests read of models.
type Summary = summary
