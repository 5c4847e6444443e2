/** Reviewers and labels of a pull request, asked for one by one: what a forge does not have costs nothing but itself. */
import { ForgeError } from './forge.ts'

interface Part {
  /** As the sentence about it names it. */
  what: string
  add(): Promise<unknown>
}

/** What was refused, in sentences; throws what may help to try again. */
export async function partByPart(parts: readonly Part[]): Promise<string[]> {
  const faults: string[] = []
  for (const { what, add } of parts) {
    try {
      await add()
    } catch (error) {
      if (!(error instanceof ForgeError) || error.isTemporary) throw error
      faults.push(notTaken(what, error.message))
    }
  }
  return faults
}

/** Each in a question of its own; a name with a slash is that of a team. */
export function reviewerParts(
  reviewers: readonly string[],
  ask: (whom: { reviewers: string[] } | { team_reviewers: string[] }) => Promise<unknown>,
): Part[] {
  return reviewers.map((name) => {
    const [, team] = name.split('/')
    const whom = team === undefined ? { reviewers: [name] } : { team_reviewers: [team] }
    return { what: `${name} as a reviewer`, add: () => ask(whom) }
  })
}

/** All in one question, since a label that is missing is made or left out by the forge. */
export function labelParts(labels: readonly string[], add: (labels: string[]) => Promise<unknown>): Part[] {
  if (labels.length === 0) return []
  return [{ what: `the labels ${labels.join(', ')}`, add: () => add([...labels]) }]
}

export function notTaken(what: string, why: string): string {
  return `The forge did not take ${what}. ${why}`
}
