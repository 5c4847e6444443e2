/** Adds reviewers and labels separately, so that one unknown to the forge does not affect the others. */
import { ForgeError } from './forge.ts'

interface Extra {
  /** Name of the part in messages. */
  what: string
  add(): Promise<unknown>
}

/** Adds the parts and returns a sentence for each rejected one. Throws errors that a retry may fix. */
export async function addSeparately(extras: readonly Extra[]): Promise<string[]> {
  const faults: string[] = []
  for (const { what, add } of extras) {
    try {
      await add()
    } catch (error) {
      if (!(error instanceof ForgeError) || error.isTemporary) throw error
      faults.push(rejectedExtraMessage(what, error.message))
    }
  }
  return faults
}

/** Creates a separate request per reviewer; a name with a slash is a team. */
export function reviewerExtras(
  reviewers: readonly string[],
  requestReviewer: (
    reviewerRequest: { reviewers: string[] } | { team_reviewers: string[] },
  ) => Promise<unknown>,
): Extra[] {
  return reviewers.map((name) => {
    const [, team] = name.split('/')
    const reviewerRequest = team === undefined ? { reviewers: [name] } : { team_reviewers: [team] }
    return { what: `${name} as a reviewer`, add: () => requestReviewer(reviewerRequest) }
  })
}

/** Creates a single request for all labels, since forges create or skip missing ones. */
export function labelExtras(labels: readonly string[], add: (labels: string[]) => Promise<unknown>): Extra[] {
  if (labels.length === 0) return []
  return [{ what: `the labels ${labels.join(', ')}`, add: () => add([...labels]) }]
}

export function rejectedExtraMessage(what: string, reason: string): string {
  return `The forge did not take ${what}. ${reason}`
}
