/** Adds reviewers and labels separately, so that one unknown to the forge does not affect the others. */
import { ForgeError } from './forge.ts'

interface Part {
  /** Name of the part in messages. */
  what: string
  add(): Promise<unknown>
}

/** Adds the parts and returns a sentence for each rejected one. Throws errors that a retry may fix. */
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

/** Creates a separate request per reviewer; a name with a slash is a team. */
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

/** Creates a single request for all labels, since forges create or skip missing ones. */
export function labelParts(labels: readonly string[], add: (labels: string[]) => Promise<unknown>): Part[] {
  if (labels.length === 0) return []
  return [{ what: `the labels ${labels.join(', ')}`, add: () => add([...labels]) }]
}

export function notTaken(what: string, why: string): string {
  return `The forge did not take ${what}. ${why}`
}
