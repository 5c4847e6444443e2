/** Starts work in the background; a rejection surfaces when the result is awaited. */
export function deferRejection<Result>(work: Promise<Result>): () => Promise<Result> {
  const settled = work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  return async () => {
    const outcome = await settled
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
}
