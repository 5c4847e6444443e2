/** Texts about accepting or declining a change and its target branch; null is the repository's default branch. */
import { plural, t } from '../../words/words.ts'

type Branch = string | null

/** Returns how to accept: here or at the forge. */
export function acceptHint(isHere: boolean, branch: Branch): string {
  if (!isHere) return t('Decide on the pull request.')
  return branch === null
    ? t('Accepting merges the change into the default branch.')
    : t('Accepting merges the change into {branch}.', { branch })
}

export function mergeQuestion(branch: Branch): string {
  return branch === null
    ? t('Merge this change into the default branch?')
    : t('Merge this change into {branch}?', { branch })
}

export function mergedMessage(branch: Branch): string {
  return branch === null
    ? t('The change is merged into the default branch')
    : t('The change is merged into {branch}', { branch })
}

/** Prompt that resolves a conflict: incoming changes are merged before the turn begins, with conflicts marked. */
export function conflictPrompt(branch: Branch): string {
  return branch === null
    ? t(
        'Others have changed the same places in the default branch. Bring both together, keep what each of them means, and say what you chose.',
      )
    : t(
        'Others have changed the same places in {branch}. Bring both together, keep what each of them means, and say what you chose.',
        { branch },
      )
}

export function mergeConsequence(branch: Branch): string {
  return branch === null
    ? t('The commit goes onto the default branch at once.')
    : t('The commit goes onto {branch} at once.', { branch })
}

export function declineConsequence(branch: Branch): string {
  return branch === null
    ? t(
        'Its branch is deleted; a message to the job then makes another one. The default branch stays as it is.',
      )
    : t('Its branch is deleted; a message to the job then makes another one. {branch} stays as it is.', {
        branch,
      })
}

export function resolvedHint(entries: number): string {
  return plural(
    entries,
    '{count} entry of feedback is resolved by it.',
    '{count} entries of feedback are resolved by it.',
  )
}
