package tier

import (
	"flag"
	"strconv"
	"testing"
)

// RandomCases makes each random test of package rapid try so many cases in the short tier, where it
// would try a fifth of 100. It is for packages whose cases take well under a millisecond. TestMain
// calls it before the tests run. A number that is stated by -rapid.checks stands.
func RandomCases(n int) {
	if !flag.Parsed() {
		flag.Parse()
	}
	f := flag.Lookup("rapid.checks")
	if testing.Short() && f != nil && f.Value.String() == f.DefValue {
		f.Value.Set(strconv.Itoa(5 * n)) // rapid divides it
	}
}
