// Package csvdata reads CSV and TSV tables into data.Frame.
package csvdata
