import type { GitTokenTrial } from '../../../../../src/features/projects/operations/git-credentials.ts'
import { Notice } from '../../ui/card.tsx'
import { OriginalMessage } from '../../ui/original-message.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { translateFinding } from '../../words/finding.ts'
import { plural, rich, t } from '../../words/words.ts'

/** Maximum number of repositories listed by name. */
const MAX_NAMED = 5

/** Result of testing a token; names and messages come from the forge. */
export function TokenTrialNotice({ trial: { failure, repositories, isPartial } }: { trial: GitTokenTrial }) {
  if (failure !== null) {
    const translation = translateFinding(failure)
    return (
      <div role="alert">
        <Notice
          tone={failure.isRefused ? 'danger' : 'warning'}
          title={translation?.meaning ?? failure.sentence}
        >
          {translation && <OriginalMessage text={translation.original} />}
        </Notice>
      </div>
    )
  }
  const writable = repositories.filter(({ mayWrite }) => mayWrite !== false)
  const isGood = writable.length > 0
  return (
    <div role="status">
      <Notice
        tone={isGood ? 'success' : 'warning'}
        title={trialTitle(repositories, writable.length, isPartial)}
      >
        {repositories.length > 0 && <RepositoryNames repositories={isGood ? writable : repositories} />}
        {isGood && (
          <p>{t('Reports of previews also need the permission for commit statuses, which no test shows.')}</p>
        )}
      </Notice>
    </div>
  )
}

function RepositoryNames({ repositories }: { repositories: GitTokenTrial['repositories'] }) {
  const shown = repositories.slice(0, MAX_NAMED).map(({ name }) => name)
  const names = <PlainText text={shown.join(', ')} />
  return <p>{repositories.length > MAX_NAMED ? rich('{names} and others', { names }) : names}</p>
}

/** Summarizes the result in one sentence, after saving. */
export function describeTrial({ failure, repositories, isPartial }: GitTokenTrial): string {
  if (failure !== null) return translateFinding(failure)?.meaning ?? failure.sentence
  const writable = repositories.filter(({ mayWrite }) => mayWrite !== false).length
  return t('{sentence}.', { sentence: trialTitle(repositories, writable, isPartial) })
}

function trialTitle(
  repositories: GitTokenTrial['repositories'],
  writable: number,
  isPartial: boolean,
): string {
  if (repositories.length === 0) return t('The forge accepts the token, but it was shown no repository there')
  if (writable === 0)
    return t('The token reads, but may not write: agent jobs cannot push branches and open pull requests')
  if (repositories.every(({ mayWrite }) => mayWrite === null))
    return formatSeenCount(repositories.length, isPartial)
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

function formatSeenCount(seen: number, isPartial: boolean): string {
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
