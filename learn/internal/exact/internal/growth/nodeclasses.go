package growth

// Nodes deep in a tree of many classes hold few of them. Where the criterion scans columns itself,
// statistics are kept of those alone. That changes no result: a class without weight adds nothing
// to any impurity.
//
//	nd.Stats        | 0 3 0 0 1 0 |
//	nd.Few.Classes  | 1 4 |
//	nd.Few.Stats    | 3 1 |

// SetFew makes the statistics of few classes of a node, if they are much shorter, and reports
// whether the node has one class.
func (l *Labels) SetFew(nd *Node) (pure bool) {
	present := 0
	for _, w := range nd.Stats {
		if w > 0 {
			present++
		}
	}
	if l.Scanner == nil || l.Width == 2 || 2*present > l.Width || present < 2 {
		return present < 2
	}
	few := Few{make([]uint32, 0, present), make([]float64, 0, present)}
	for class, w := range nd.Stats {
		if w > 0 {
			few.Classes, few.Stats = append(few.Classes, uint32(class)), append(few.Stats, w)
		}
	}
	nd.Few = few
	return false
}
