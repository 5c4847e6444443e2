/**
 * Texts about accepting or declining a change, and about its target branch. A null branch is the repository's default
 * branch.
 */
import { plural, t } from '../../words/words.ts'

type Branch = string | null

export function acceptHint(isHere: boolean, branch: Branch): string {
  if (!isHere) return t('Merge or close the pull request.')
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
        'Others changed the same lines in the default branch. Merge both changes, keep the intent of each, and explain your choices.',
      )
    : t(
        'Others changed the same lines in {branch}. Merge both changes, keep the intent of each, and explain your choices.',
        { branch },
      )
}

export function mergeConsequence(branch: Branch): string {
  return branch === null
    ? t('The change is committed to the default branch immediately.')
    : t('The change is committed to {branch} immediately.', { branch })
}

export function declineConsequence(branch: Branch): string {
  return branch === null
    ? t(
        'Its branch is deleted. A later message to the job creates a new one. The default branch does not change.',
      )
    : t('Its branch is deleted. A later message to the job creates a new one. {branch} does not change.', {
        branch,
      })
}

export function resolvedHint(entries: number): string {
  return plural(entries, 'This resolves {count} feedback entry.', 'This resolves {count} feedback entries.')
}
