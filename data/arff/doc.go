// Package arff owns the reading of ARFF, the text format of Weka, into a data.Frame.
//
// # Text
//
// A header declares the columns, one @attribute in each line, in order. After @data each line is a
// row. Keywords and types may be in any letter case. What follows a % outside quotes is a comment.
// Names and values with blanks, commas, braces or % in them stand in single or double quotes. In
// these a backslash escapes the next character (\n, \r and \t are line ends and a tab). Values are
// separated by a comma, by blanks, or both; after the last one there may be a comma, too. Text
// compressed by gzip, zip or zstd (package data/decoders) is recognised by its first bytes.
//
//	@relation weather
//	@attribute outlook {sunny, overcast, rainy}
//	@attribute temperature numeric
//	@data
//	sunny,85                      dense: a value for each attribute
//	{1 70}                        sparse: positions, from 0, and values
//	?,64,{2}                      {2} behind a row is its weight
//
// A sparse row has 0 in the attributes that it does not name, or the first declared value of a
// nominal one.
//
// # Columns
//
// Attributes that are numeric, real or integer are numeric columns. A range in brackets behind such
// a type, as in integer [1,10], is ignored, as by Weka, and values outside it are values. A nominal
// attribute is categorical. Its dictionary holds, sorted, all values that are declared, also those
// that no row has; other values are errors. A string is categorical, but for dates and numbers with
// a unit. A date becomes microseconds since 1970-01-01 00:00 UTC; its format is a pattern of Java's
// SimpleDateFormat, by default yyyy-MM-dd'T'HH:mm:ss. An unquoted ? is missing, and so is the empty
// text; other texts are only where Options.Missing names them. Relational attributes are errors.
//
// If any row has a weight there is a further column called weight, 1 where a row has none. The file
// states that it is the weight of the rows (data.Field.Role), so data.Roles makes it that, and no
// feature. Options.Numeric or Options.Categorical ask for a column like any other.
//
// Several files must declare the same columns, in any order; their dictionaries are joined.
package arff
