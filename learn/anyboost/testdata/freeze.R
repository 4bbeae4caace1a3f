# Freezes what R's gbm makes of two tables, for the tests of learn/anyboost.
#
#     Rscript freeze.R DATA
#
# DATA is the folder of data sets: data/ below the folder that COPPICE_DATA names. Writes gbm.json.gz beside this script: for
# each case its set, distribution and settings, and the scores of every seventh row after some rounds. Of an odd number of rows
# medians are labels, by every convention. Columns are in units in which all values are whole, so that text keeps them exactly.
suppressMessages(library(gbm))

args <- commandArgs(FALSE)
here <- dirname(normalizePath(sub("^--file=", "", args[grep("^--file=", args)])))
data <- commandArgs(TRUE)[1]

bike <- read.csv(file.path(data, "bike/day.csv"))[seq(1, 731, 2)[1:365], ]
pima <- read.csv(file.path(data, "pima/pima.csv"))[seq(1, 768, 2), ]
sets <- list(
  bike = list(x = data.frame(temp = round(bike$temp * 1e6), hum = round(bike$hum * 1e6), wind = round(bike$windspeed * 1e6)), y = bike$cnt),
  pima = list(x = data.frame(glucose = pima$glucose, bmi = round(pima$bmi * 10), age = pima$age, pedigree = round(pima$pedigree * 1000)), y = pima$diabetes))

cases <- list(
  list("bike", "gaussian", 1), list("bike", "gaussian", 3),
  list("pima", "bernoulli", 1), list("pima", "bernoulli", 3), list("pima", "adaboost", 2))

number <- function(v) paste(formatC(v, digits = 17, format = "g"), collapse = ",")
stages <- c(1, 2, 10, 30)
text <- c()
for (name in names(sets)) {
  columns <- sapply(sets[[name]]$x, function(v) paste0("[", number(v), "]"))
  text <- c(text, sprintf('"%s":{"x":[%s],"y":[%s]}', name, paste(columns, collapse = ","), number(sets[[name]]$y)))
}
runs <- c()
for (c in cases) {
  s <- sets[[c[[1]]]]
  m <- gbm.fit(s$x, s$y, distribution = c[[2]], n.trees = 30, interaction.depth = c[[3]], n.minobsinnode = 10, shrinkage = 0.1,
    bag.fraction = 1, verbose = FALSE)
  p <- predict(m, s$x[seq(1, nrow(s$x), 7), ], n.trees = stages)
  staged <- apply(p, 2, function(v) paste0("[", number(v), "]"))
  runs <- c(runs, sprintf('{"set":"%s","distribution":"%s","splits":%d,"stages":[%s],"staged":[%s]}', c[[1]], c[[2]], c[[3]], number(stages), paste(staged, collapse = ",")))
}
out <- gzfile(file.path(here, "gbm.json.gz"), "w")
writeLines(sprintf('{"gbm":"%s","sets":{%s},"cases":[%s]}', packageVersion("gbm"), paste(text, collapse = ","), paste(runs, collapse = ",")), out)
close(out)
