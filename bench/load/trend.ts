/**
 * Returns the growth of a series from its start to its end, along the least-squares line, as a share of its mean: 0 is
 * flat, 1 is a growth by its own mean.
 */
export function growthOf(values: number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let covariance = 0;
  let variance = 0;
  for (const [index, value] of values.entries()) {
    covariance += (index - middle) * (value - mean);
    variance += (index - middle) ** 2;
  }
  return variance === 0 ? 0 : ((covariance / variance) * (values.length - 1)) / mean;
}
