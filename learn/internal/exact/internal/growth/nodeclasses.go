package growth

// Nodes deep in a tree of many classes hold few of them. Where the criterion scans columns itself,
// statistics are kept of those alone. That changes no result: a class without weight adds nothing
// to any impurity.
//
//	nd.stats   | 0 3 0 0 1 0 |
//	nd.classes | 1 4 |
//	nd.narrow  | 3 1 |

// SetNarrow makes the narrow statistics of a node, if they are much shorter, and reports whether
// the node has one class.
func (l *Labels) SetNarrow(nd *Node) (pure bool) {
	present := 0
	for _, w := range nd.Stats {
		if w > 0 {
			present++
		}
	}
	if l.Scanner == nil || l.Width == 2 || 2*present > l.Width || present < 2 {
		return present < 2
	}
	nd.Classes, nd.Narrow = make([]uint32, 0, present), make([]float64, 0, present)
	for class, w := range nd.Stats {
		if w > 0 {
			nd.Classes, nd.Narrow = append(nd.Classes, uint32(class)), append(nd.Narrow, w)
		}
	}
	return false
}
