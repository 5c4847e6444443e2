/** Work that goes on beside other work: what it rejects with is told where its result is asked for. */
export function inBackground<Result>(work: Promise<Result>): () => Promise<Result> {
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
