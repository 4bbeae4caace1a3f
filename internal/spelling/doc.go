// Package spelling owns how categories and the names of features are written: truth values and
// integers in the ways of several tools, and hashes in place of texts (CityHash64 of CatBoost). It
// has names that are numbers, and the formats of numbers with separators, currencies and units.
// Readers, codecs and models find the same category and number by it.
package spelling
