# Writes survival.json, and the tables of testdata/survival: what R's package survival finds, for cox_test.go. Run it here with Rscript.
# The penalty of ridge(theta) is theta/2 times the sum of squares, as l2 is. Numbers are standardised with n, not n - 1, in the
# denominator and by weight; a category has an indicator for each of its levels, as package dense makes them.
library(survival)

standard <- function(x, w) { m <- weighted.mean(x, w); (x - m) / sqrt(weighted.mean((x - m)^2, w)) }
encode <- function(table, w) {
  parts <- lapply(table, function(x) if (is.numeric(x)) matrix(standard(x, w)) else sapply(levels(x), function(l) as.numeric(x == l)))
  do.call(cbind, parts)
}

root <- "../../../../testdata/survival/"

case <- function(name, ties, file, time, event, l2, weighted) {
  table <- read.csv(paste0(root, file), stringsAsFactors = TRUE)
  w <- if (weighted) 1 + (seq_len(nrow(table)) - 1) %% 7 / 10 else rep(1, nrow(table))
  x <- encode(table[setdiff(names(table), c(time, event))], w)
  y <- Surv(table[[time]], table[[event]])
  exact <- coxph.control(eps = 1e-13, toler.chol = 1e-14, iter.max = 100)
  if (l2 > 0) fit <- coxph(y ~ ridge(x, theta = l2, scale = FALSE), weights = w, ties = ties, control = exact)
  else fit <- coxph(y ~ x, weights = w, ties = ties, control = exact)
  b <- ifelse(is.na(coef(fit)), 0, coef(fit))
  score <- as.vector(x %*% b)
  plain <- coxph(y ~ offset(score), weights = w, ties = ties) # its likelihood, without the penalty
  list(name = name, ties = ties, file = file, time = time, event = event, l2 = l2, weighted = weighted,
       loglik = as.numeric(plain$loglik[1]), scores = score - score[1])
}

quoted <- function(v) if (is.character(v)) paste0('"', v, '"') else if (is.logical(v)) tolower(v) else
  if (length(v) > 1) paste0("[", paste(sprintf("%.12g", v), collapse = ","), "]") else sprintf("%.12g", v)
json <- function(l) paste0("{", paste0('"', names(l), '":', sapply(l, quoted), collapse = ","), "}")

write.csv(transform(veteran, trt = factor(trt, labels = c("standard", "test")), prior = factor(prior, labels = c("no", "yes"))),
          paste0(root, "veteran.csv"), row.names = FALSE, quote = FALSE)
# times in months have more events at once than times in days
write.csv(with(veteran, data.frame(months = ceiling(time / 30), status = status, karno = karno, age = age)), paste0(root, "months.csv"), row.names = FALSE, quote = FALSE)
write.csv(with(MASS::gehan, data.frame(weeks = time, relapse = cens, treat = treat)), paste0(root, "leukemia.csv"), row.names = FALSE, quote = FALSE)
cases <- do.call(c, lapply(c("breslow", "efron"), function(ties) list(
  case("leukemia", ties, "leukemia.csv", "weeks", "relapse", 0, FALSE),
  case("leukemia, weighted", ties, "leukemia.csv", "weeks", "relapse", 0, TRUE),
  case("veteran", ties, "veteran.csv", "time", "status", 0, FALSE),
  case("veteran, ridge", ties, "veteran.csv", "time", "status", 3.7, FALSE),
  case("veteran, weighted", ties, "veteran.csv", "time", "status", 0, TRUE),
  case("veteran, weighted ridge", ties, "veteran.csv", "time", "status", 20, TRUE),
  case("months", ties, "months.csv", "months", "status", 0, TRUE))))
writeLines(paste0('{"survival":"', packageVersion("survival"), '","cases":[\n', paste(sapply(cases, json), collapse = ",\n"), "\n]}"),
           "survival.json")
