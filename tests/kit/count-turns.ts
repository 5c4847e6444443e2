/** How often others have their turn while a piece of work is done in this thread. */
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
