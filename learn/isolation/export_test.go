package isolation

// What the tests of the definitions need.
var (
	UsualPaths = usualPaths
	Exceeded   = exceeded
)
