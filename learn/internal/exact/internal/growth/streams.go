package growth

// Each node has random streams of its own. So its split depends on its rows and its place in the
// tree alone, not on the nodes grown before. These are the purposes of the streams.
const (
	ColumnStream = iota
	DirectionStream
	SplitStream
	ChildStream
	LevelStream
)
