# Freezes what R's rpart makes of tables with missing values, for the tests of learn/cart.
#
#     Rscript freeze.R DATA
#
# DATA is the folder of data sets: data/ below the folder that COPPICE_DATA names. Needs Debian's r-cran-rpart 4.1.19 and
# r-cran-jsonlite. Writes trees.json.gz beside this script; run it in this folder. README.md describes the file and gives rpart's
# rules. The same versions write the same bytes.
#
# Only the columns that a set names are used, in the order in which it names them. Fields have no blanks around them and are missing
# where they equal one of the set's `missing` texts, a number also where its column says that 0 stands for missing. A
# categorical column's levels are its texts in the rows used, sorted bytewise.

library(rpart)
library(jsonlite)

# A numeric or categorical column. zero: 0 means missing. first: the level is the first character of column `from`.
num <- function(name, zero = FALSE) list(name = name, kind = "numeric", zero_missing = zero)
cat_ <- function(name, from = name, first = FALSE) list(name = name, kind = "categorical", from = from, first = first)

sets <- list(
  pima = list(
    file = "pima/pima.csv", label = "diabetes", rows = 768L, missing = "",
    columns = list(num("pregnancies"), num("glucose", TRUE), num("blood_pressure", TRUE), num("skin_thickness", TRUE),
                   num("insulin", TRUE), num("bmi", TRUE), num("pedigree"), num("age"))),
  titanic = list(
    file = "titanic/titanic.csv", label = "Survived", rows = 891L, missing = "",
    columns = list(cat_("Pclass"), cat_("Sex"), num("Age"), num("SibSp"), num("Parch"), num("Fare"), cat_("Embarked"),
                   cat_("Deck", "Cabin", TRUE))),
  "titanic-port" = list(
    file = "titanic/titanic.csv", label = "Embarked", rows = 891L, missing = "",
    columns = list(cat_("Survived"), cat_("Pclass"), cat_("Sex"), num("Age"), num("SibSp"), num("Parch"), num("Fare"),
                   cat_("Deck", "Cabin", TRUE))),
  adult = list(
    file = "adult/adult-train.csv.gz", label = "income", rows = 3000L, missing = "?",
    columns = list(num("age"), cat_("workclass"), num("education-num"), cat_("marital-status"), cat_("occupation"),
                   cat_("relationship"), cat_("race"), cat_("sex"), num("capital-gain"), num("hours-per-week"),
                   cat_("native-country"))),
  california = list(
    file = "california-housing/housing.csv.gz", label = "median_house_value", rows = 3000L, missing = "", regression = TRUE,
    columns = list(num("longitude"), num("latitude"), num("housing_median_age"), num("total_rooms"), num("total_bedrooms"),
                   num("population"), num("households"), num("median_income"), cat_("ocean_proximity"))),
  ames = list(
    file = "ames/ames_housing.csv.gz", label = "Sale_Price", rows = 2930L, missing = "NA", regression = TRUE,
    columns = list(num("Lot_Frontage"), num("Lot_Area"), cat_("Neighborhood"), cat_("House_Style"), num("Year_Built"),
                   cat_("Mas_Vnr_Type"), num("Mas_Vnr_Area"), cat_("Bsmt_Qual"), num("Total_Bsmt_SF"), num("Gr_Liv_Area"),
                   cat_("Garage_Type"), num("Garage_Yr_Blt"), num("Garage_Area"), cat_("Fireplace_Qu"))))

# Two tables made for rpart's corners: in `twins` the categorical columns repeat, without and with errors, what x decides; in `even`
# the primary split sends the same weight both ways.
made <- function() {
  i <- 0:39
  y <- ifelse(i %/% 20 == 0, "a", "b")
  y[c(3, 25)] <- c("b", "a")
  x <- i
  x[c(6, 14, 32)] <- NA
  copy <- ifelse(i < 20, "p", "q")
  one <- copy; one[8] <- "q"
  two <- one; two[30] <- "p"
  near <- i %/% 4 * 4 + 1
  near[c(6, 9)] <- c(NA, 33)
  twins <- data.frame(y = y, x = x, copy = copy, one = one, two = two, near = near)
  x <- c(1:12, rep(NA, 4)); z <- c(NA, 3, 8, 4, 9, 5, 7, 9, 6, 2, 3, 8, NA, NA, 1, 9)
  even <- data.frame(y = c(rep("a", 6), rep("b", 6), "b", "b", "a", "a"), x = x, z = z, constant = 1)
  list(twins = twins, even = even)
}

# Row i (from 0) weighs 0.5 + (7 i mod 5) / 2 where a case is weighted, and is in fold i mod 10 + 1 where it is cross-validated.
# Rows are counted before any is dropped.
loss2 <- matrix(c(0, 5, 1, 0), 2)                    # loss[true, predicted]: calling level 2 level 1 costs 5
loss3 <- matrix(c(0, 2, 1, 3, 0, 1, 4, 1, 0), 3)
case <- function(set, ..., parms = NULL, weighted = FALSE, xval = FALSE, train = NA, cost = NULL)
  list(set = set, control = list(...), parms = parms, weighted = weighted, xval = xval, train = train, cost = cost)

cases <- list(
  case("pima", cp = 0.01, xval = TRUE),
  case("pima", cp = 0, xval = TRUE),
  case("pima", cp = 0, minsplit = 2, minbucket = 1),
  case("pima", cp = 0.01, parms = list(split = "information"), xval = TRUE),
  case("pima", cp = 0, minsplit = 10, parms = list(split = "information"), xval = TRUE),
  case("pima", cp = 0.005, usesurrogate = 0),
  case("pima", cp = 0.005, usesurrogate = 1),
  case("pima", cp = 0.005, surrogatestyle = 1),
  case("pima", cp = 0.01, maxsurrogate = 0, maxcompete = 0),
  case("pima", cp = 0.01, maxsurrogate = 2, maxcompete = 1),
  case("pima", cp = 0, maxdepth = 3),
  case("pima", cp = 0.01, parms = list(prior = c(0.5, 0.5)), xval = TRUE),
  case("pima", cp = 0, parms = list(prior = c(0.25, 0.75), split = "information"), xval = TRUE),
  case("pima", cp = 0.01, parms = list(loss = loss2), xval = TRUE),
  case("pima", cp = 0.005, parms = list(loss = loss2, split = "information"), xval = TRUE),
  case("pima", cp = 0.005, parms = list(prior = c(0.5, 0.5), loss = loss2), xval = TRUE),
  case("pima", cp = 0.005, weighted = TRUE, xval = TRUE),
  case("pima", cp = 0.005, cost = c(1, 2, 1, 1, 0.5, 1, 1, 3)),
  case("titanic", cp = 0.01, xval = TRUE),
  case("titanic", cp = 0, xval = TRUE),
  case("titanic", cp = 0.002, parms = list(split = "information"), xval = TRUE),
  case("titanic", cp = 0.002, usesurrogate = 0),
  case("titanic", cp = 0.002, usesurrogate = 1),
  case("titanic", cp = 0.002, surrogatestyle = 1, xval = TRUE),
  case("titanic", cp = 0.002, parms = list(prior = c(0.5, 0.5), loss = loss2), xval = TRUE),
  case("titanic", cp = 0, minsplit = 5, weighted = TRUE, xval = TRUE),
  case("titanic", cp = 0.005, train = 600),
  case("titanic-port", cp = 0.001, xval = TRUE),
  case("titanic-port", cp = 0.001, parms = list(split = "information"), xval = TRUE),
  case("titanic-port", cp = 0.001, parms = list(prior = c(0.25, 0.25, 0.5)), xval = TRUE),
  case("titanic-port", cp = 0.001, parms = list(loss = loss3), xval = TRUE),
  case("titanic-port", cp = 0, minsplit = 10, parms = list(prior = c(0.2, 0.3, 0.5), loss = loss3, split = "information"),
       weighted = TRUE, xval = TRUE),
  case("adult", cp = 0.01, xval = TRUE),
  case("adult", cp = 0, xval = TRUE),
  case("adult", cp = 0.001, parms = list(split = "information"), xval = TRUE),
  case("adult", cp = 0.002, usesurrogate = 1),
  case("adult", cp = 0.002, train = 2000),
  case("california", cp = 0.01, xval = TRUE),
  case("california", cp = 0.001, xval = TRUE),
  case("california", cp = 0, minsplit = 50, weighted = TRUE, xval = TRUE),
  case("ames", cp = 0.01, xval = TRUE),
  case("ames", cp = 0.001, xval = TRUE),
  case("ames", cp = 0.001, usesurrogate = 0),
  case("ames", cp = 0.001, usesurrogate = 1),
  case("ames", cp = 0.001, surrogatestyle = 1, weighted = TRUE, xval = TRUE),
  case("ames", cp = 0.001, train = 2000),
  case("twins", cp = 0.01, minsplit = 4, xval = TRUE),
  case("twins", cp = 0.01, minsplit = 4, maxcompete = 1, maxsurrogate = 2),
  case("twins", cp = 0.01, minsplit = 4, maxsurrogate = 0, xval = TRUE),
  case("even", cp = 0.01, minsplit = 4, maxdepth = 1, xval = TRUE),
  case("even", cp = 0.01, minsplit = 4, maxdepth = 1, maxsurrogate = 0))

read_set <- function(folder, s) {
  raw <- read.csv(file.path(folder, s$file), colClasses = "character", check.names = FALSE, nrows = s$rows, na.strings = s$missing,
                  strip.white = TRUE)
  texts <- function(v) factor(v, levels = sort(unique(v), method = "radix"))
  table <- list()
  for (column in s$columns) {
    if (column$kind == "numeric") {
      v <- as.numeric(raw[[column$name]])
      if (column$zero_missing) v[v == 0] <- NA
    } else {
      v <- raw[[column$from]]
      if (column$first) v <- substr(v, 1, 1)
      v <- texts(v)
    }
    table[[column$name]] <- v
  }
  y <- raw[[s$label]]
  label <- if (isTRUE(s$regression)) as.numeric(y) else texts(y)
  data.frame(.y = label, table, check.names = FALSE)
}

describe <- function(s, table) {
  s$classes <- if (is.factor(table$.y)) levels(table$.y)
  s$columns <- lapply(s$columns, function(column) {
    if (column$kind == "categorical") column$levels <- levels(table[[column$name]])
    column
  })
  s
}

# The rows of a made table travel in the file.
describe_made <- function(table) {
  columns <- lapply(setdiff(names(table), "y"), function(name) {
    v <- table[[name]]
    if (is.numeric(v)) list(name = name, kind = "numeric", values = v)
    else list(name = name, kind = "categorical", levels = sort(unique(v)), values = v)
  })
  list(label = "y", rows = nrow(table), classes = sort(unique(table$y)), labels = table$y, columns = columns)
}

freeze <- function(k, table) {
  n <- nrow(table)
  i <- seq_len(n) - 1
  used <- if (is.na(k$train)) n else k$train
  weight <- if (k$weighted) 0.5 + ((7 * i) %% 5) / 2 else rep(1, n)
  control <- k$control
  control$xval <- if (k$xval) (i %% 10 + 1)[seq_len(used)] else 0
  regression <- is.numeric(table$.y)
  train <- table[seq_len(used), ]
  arguments <- list(.y ~ ., data = train, method = if (regression) "anova" else "class", control = do.call(rpart.control, control))
  if (k$weighted) arguments$weights <- weight[seq_len(used)]
  if (!is.null(k$parms)) arguments$parms <- k$parms
  if (!is.null(k$cost)) arguments$cost <- k$cost
  fit <- suppressWarnings(do.call(rpart, arguments))

  frame <- fit$frame
  columns <- setdiff(names(table), ".y")
  number <- function(name) match(name, columns) - 1L
  m <- model.frame(delete.response(fit$terms), table, na.action = na.pass, xlev = attr(fit, "xlevels"))
  routed <- unname(rpart:::pred.rpart(fit, rpart:::rpart.matrix(m)))
  dropped <- as.integer(fit$na.action)
  where <- rep(NA_integer_, used)
  where[setdiff(seq_len(used), dropped)] <- fit$where - 1L

  chosen <- fit$control
  chosen$xval <- NULL
  out <- list(set = k$set, control = chosen, parms = k$parms, cost = k$cost, weighted = k$weighted, xval = k$xval,
              train = used, cp = unname(split(fit$cptable, row(fit$cptable))),
              nodes = list(node = as.integer(row.names(frame)), column = number(as.character(frame$var)), n = frame$n, wt = frame$wt,
                           dev = frame$dev, yval = if (regression) frame$yval else frame$yval - 1, complexity = frame$complexity,
                           ncompete = frame$ncompete, nsurrogate = frame$nsurrogate),
              where = where, routed = routed - 1L)
  if (!regression) {
    classes <- nlevels(table$.y)
    out$nodes$weight <- unname(split(frame$yval2[, 1 + seq_len(classes)], row(frame)[, seq_len(classes)]))
    out$nodes$prob <- unname(split(frame$yval2[, 1 + classes + seq_len(classes)], row(frame)[, seq_len(classes)]))
    out$nodes$nodeprob <- unname(frame$yval2[, 2 + 2 * classes])
  }
  if (!is.null(fit$splits)) {
    s <- fit$splits
    out$splits <- list(column = number(rownames(s)), count = s[, "count"], ncat = s[, "ncat"], improve = s[, "improve"],
                       index = s[, "index"], adj = s[, "adj"])
    out$splits <- lapply(out$splits, unname)
    if (!is.null(fit$csplit)) out$csplit <- unname(split(fit$csplit - 2L, row(fit$csplit)))
    importance <- fit$variable.importance
    out$importance <- list(column = number(names(importance)), value = unname(importance))
  }
  cat(k$set, deparse(k$control, width.cutoff = 200), nrow(frame), "nodes,", length(dropped), "rows dropped\n")
  out
}

folder <- commandArgs(trailingOnly = TRUE)[1]
tables <- lapply(sets, function(s) read_set(folder, s))
described <- Map(describe, sets, tables)
for (name in names(made())) {
  table <- made()[[name]]
  described[[name]] <- describe_made(table)
  table <- data.frame(.y = factor(table$y), table[names(table) != "y"], stringsAsFactors = TRUE)
  tables[[name]] <- table
}
frozen <- list(rpart = as.character(packageVersion("rpart")), r = paste(R.version$major, R.version$minor, sep = "."), sets = described,
               cases = lapply(cases, function(k) freeze(k, tables[[k$set]])))
scalars <- function(x) {
  if (is.list(x)) return(lapply(x[!vapply(x, is.null, TRUE)], scalars))
  x
}
single <- c("rpart", "r", "set", "weighted", "xval", "train", "file", "label", "rows", "missing", "regression", "name", "kind", "from",
            "first", "zero_missing", "cp", "minsplit", "minbucket", "maxdepth", "maxcompete", "maxsurrogate", "usesurrogate",
            "surrogatestyle", "split")
unboxed <- function(x) {
  if (!is.list(x)) return(x)
  for (name in intersect(names(x), single)) if (length(x[[name]]) == 1 && !is.list(x[[name]])) x[[name]] <- unbox(x[[name]])
  lapply(x, unboxed)
}
out <- gzfile("trees.json.gz", "w")
writeLines(toJSON(unboxed(scalars(frozen)), digits = NA, na = "null", null = "null"), out)
close(out)
