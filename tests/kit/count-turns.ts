/** Counts event loop turns while the work runs, to check that it does not block the thread. */
export async function countTurns<Out>(work: Promise<Out>): Promise<{ out: Out; turns: number }> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const out = await work
  isOver = true
  return { out, turns }
}
