import type { GitTokenTrial } from '../../../../../src/features/projects/operations/git-credentials.ts'
import { Notice } from '../../ui/card.tsx'
import { Original } from '../../ui/original.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { toldFinding } from '../../words/finding.ts'
import { plural, rich, t } from '../../words/words.ts'

/** Maximum number of repositories listed by name. */
const NAMED = 5

/** Result of testing a token; names and messages come from the forge. */
export function TokenTrialNotice({ trial: { failure, repositories, isPartial } }: { trial: GitTokenTrial }) {
  if (failure !== null) {
    const told = toldFinding(failure)
    return (
      <div role="alert">
        <Notice tone={failure.isRefused ? 'danger' : 'warning'} title={told?.meaning ?? failure.sentence}>
          {told && <Original text={told.original} />}
        </Notice>
      </div>
    )
  }
  const writable = repositories.filter(({ mayWrite }) => mayWrite !== false)
  const isGood = writable.length > 0
  return (
    <div role="status">
      <Notice tone={isGood ? 'success' : 'warning'} title={titleOf(repositories, writable.length, isPartial)}>
        {repositories.length > 0 && <Named repositories={isGood ? writable : repositories} />}
        {isGood && (
          <p>{t('Reports of previews also need the permission for commit statuses, which no test shows.')}</p>
        )}
      </Notice>
    </div>
  )
}

function Named({ repositories }: { repositories: GitTokenTrial['repositories'] }) {
  const shown = repositories.slice(0, NAMED).map(({ name }) => name)
  const names = <PlainText text={shown.join(', ')} />
  return <p>{repositories.length > NAMED ? rich('{names} and others', { names }) : names}</p>
}

/** Summarizes the result in one sentence, after saving. */
export function trialWords({ failure, repositories, isPartial }: GitTokenTrial): string {
  if (failure !== null) return toldFinding(failure)?.meaning ?? failure.sentence
  const writable = repositories.filter(({ mayWrite }) => mayWrite !== false).length
  return t('{sentence}.', { sentence: titleOf(repositories, writable, isPartial) })
}

function titleOf(repositories: GitTokenTrial['repositories'], writable: number, isPartial: boolean): string {
  if (repositories.length === 0) return t('The forge accepts the token, but it was shown no repository there')
  if (writable === 0)
    return t('The token reads, but may not write: agent jobs cannot push branches and open pull requests')
  if (repositories.every(({ mayWrite }) => mayWrite === null))
    return seenWords(repositories.length, isPartial)
  return isPartial
    ? plural(
        writable,
        'The token may write to at least {count} repository',
        'The token may write to at least {count} repositories',
      )
    : plural(
        writable,
        'The token may write to {count} repository',
        'The token may write to {count} repositories',
      )
}

function seenWords(seen: number, isPartial: boolean): string {
  return isPartial
    ? plural(
        seen,
        'The token sees at least {count} repository; the forge does not say where it may write',
        'The token sees at least {count} repositories; the forge does not say where it may write',
      )
    : plural(
        seen,
        'The token sees {count} repository; the forge does not say where it may write',
        'The token sees {count} repositories; the forge does not say where it may write',
      )
}
