import type { GitTokenTrial } from '../../../../../src/contract/git-credentials.ts'
import { Notice } from '../../ui/card.tsx'
import { counted } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { t } from '../../words/words.ts'

/** So many are named. */
const NAMED = 5

/** What a forge says of a token; names and sentences are the forge's. */
export function TokenTrialNotice({ trial: { failure, repositories, isPartial } }: { trial: GitTokenTrial }) {
  if (failure !== null)
    return (
      <div role="alert">
        <Notice tone={failure.isRefused ? 'danger' : 'warning'} title={failure.sentence} />
      </div>
    )
  const writable = repositories.filter(({ mayWrite }) => mayWrite !== false)
  const isGood = writable.length > 0
  return (
    <div role="status">
      <Notice tone={isGood ? 'success' : 'warning'} title={titleOf(repositories, writable.length, isPartial)}>
        {repositories.length > 0 && (
          <p>
            <PlainText
              text={(isGood ? writable : repositories)
                .slice(0, NAMED)
                .map(({ name }) => name)
                .join(', ')}
            />
            {(isGood ? writable : repositories).length > NAMED && t(' and others')}
          </p>
        )}
      </Notice>
    </div>
  )
}

/** In a sentence, once it is saved. */
export function trialWords({ failure, repositories, isPartial }: GitTokenTrial): string {
  if (failure !== null) return failure.sentence
  return `${titleOf(repositories, repositories.filter(({ mayWrite }) => mayWrite !== false).length, isPartial)}.`
}

function titleOf(repositories: GitTokenTrial['repositories'], writable: number, isPartial: boolean): string {
  const more = isPartial ? 'at least ' : ''
  if (repositories.length === 0) return 'The forge accepts the token, but it was shown no repository there'
  if (writable === 0)
    return 'The token reads, but may not write: agent jobs cannot push branches and open pull requests'
  if (repositories.every(({ mayWrite }) => mayWrite === null))
    return `The token sees ${more}${counted(repositories.length, 'repository', 'repositories')}; the forge does not say where it may write`
  return `The token may write to ${more}${counted(writable, 'repository', 'repositories')}`
}
