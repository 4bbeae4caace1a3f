// Package spelling owns how categories and the names of features are written: truth values and
// integers in the ways of several tools, hashes in place of texts (CityHash64 of CatBoost),
// and names that are numbers. Readers, codecs and models find the same category by it.
package spelling
