// Package sqldata owns the reading of the rows of an SQL query into a data.Frame. It imports no
// driver: whoever calls it has opened the database.
//
//	rows, err := db.QueryContext(ctx, "select * from sales where year = $1", 2026)
//	f, err := sqldata.Open(data.ReadOptions{}, rows).Frame(ctx)
//
// # Types
//
// The types that the database names decide on the kinds of columns:
//
//   - Integers, floating-point numbers and decimals are numeric. An integer beyond 2^53 is rounded,
//     which a note reports, unless its column is categorical. A decimal is the nearest float64.
//   - Truth values are categorical ("true", "false"). MySQL has numbers in their place.
//   - Dates and timestamps are dates, in UTC. Dates before year 1 and infinite ones are errors, and
//     the zero dates of MySQL are missing.
//   - Times of the day are numeric: microseconds since midnight.
//   - Enumerations are categorical, whatever their values look like. Their levels are those of
//     Query.Enumerations, or else those that rows have.
//   - Texts, JSON, UUIDs, times with a zone and types that are not known here are categorical, but
//     for texts that are dates or numbers with a unit. Bytes are read as texts, and an error where
//     they are not UTF-8.
//   - Columns to which a database gives no type, such as expressions of SQLite, are what all their
//     values are: numbers if these are numbers, else texts or dates.
//   - Arrays, ranges, composite values and intervals have no place in a table: ignore the column,
//     or convert it in the query.
//
// NULL is missing, and so are NaN and the empty text. Other texts are only where Options.Missing
// names them.
//
// # Memory
//
// Rows go into columns one after the other, so that beside the table only the driver needs memory.
// Those of PostgreSQL, MySQL and SQLite stream rows.
package sqldata
