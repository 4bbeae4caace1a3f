package growth

// Random choices come from streams of the node's own, so that a node's split depends on its rows
// and its place in the tree alone, not on what was grown before. These are the purposes of the
// streams.
const (
	ColumnStream = iota
	DirectionStream
	SplitStream
	ChildStream
	LevelStream
)
