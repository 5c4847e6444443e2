/**
 * Shared parts of the server settings: values set by the environment, the last change, stored secrets and test results.
 */
import type { ComponentChildren } from 'preact'
import type { FieldSpec } from '../../forms/field-spec.ts'
import type { TestResult } from '../../forms/settings-form.tsx'
import { Notice } from '../../ui/card.tsx'
import { FactRows } from '../../ui/fact.tsx'
import { OriginalMessage } from '../../ui/original-message.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { type Finding, translateFinding } from '../../words/finding.ts'
import { rich, t } from '../../words/words.ts'
import { FindingLines } from '../finding-lines.tsx'

export function EnvironmentSettings({
  variables,
  rows = [],
}: {
  variables: readonly string[]
  rows?: readonly (readonly [label: string, value: string | null])[]
}) {
  return (
    <>
      <Notice title={t('Set by the environment')}>
        {t('To set this here, remove {variables} from the environment of the server and restart it.', {
          variables: variables.join(', '),
        })}
      </Notice>
      {rows.length > 0 && <FactRows rows={rows} />}
    </>
  )
}

export function LastChange({ of }: { of: { changedAt: string | null; changedBy: string | null } }) {
  if (of.changedAt === null) return null
  const when = <RelativeTime at={of.changedAt} />
  return (
    <p class="mt-2 text-13 text-soft">
      {of.changedBy === null
        ? rich('Changed {when} by a former member.', { when })
        : rich('Changed {when} by {person}.', { when, person: <PlainText text={of.changedBy} /> })}
    </p>
  )
}

interface StoredSecret {
  lastFour?: string | null
  setAt: string | null
  isUsable?: boolean
}

/** Returns the field for a stored secret, which is never shown again. */
export function secretField(
  field: Pick<FieldSpec, 'name' | 'label' | 'isOptional' | 'isHidden'>,
  stored: StoredSecret | null,
): FieldSpec {
  return {
    ...field,
    kind: 'secret',
    isOptional: field.isOptional === true || stored !== null,
    help:
      stored === null ? (
        t('Stored encrypted, sent only to the server configured here, and never shown again.')
      ) : (
        <>
          {describeStored(stored)}{' '}
          {t('Leave it empty to keep the stored one. Enter it again when you change the address or user.')}
        </>
      ),
  }
}

function describeStored({ lastFour, setAt }: StoredSecret): ComponentChildren {
  const when = setAt === null ? null : <RelativeTime at={setAt} />
  if (lastFour == null) return when === null ? t('Stored.') : rich('Stored, set {when}.', { when })
  return when === null
    ? t('Stored, ends in {ending}.', { ending: lastFour })
    : rich('Stored, ends in {ending}, set {when}.', { ending: lastFour, when })
}

/** Shown for a stored secret that can no longer be decrypted. */
export function UnusableSecret({ stored }: { stored: StoredSecret | null }) {
  if (stored?.isUsable !== false) return null
  return (
    <Notice tone="warning" title={t('The stored secret cannot be used')}>
      {t('It was set for another address or user, or the secret of the server has changed. Enter it again.')}
    </Notice>
  )
}

export function failedResult({ code, sentence, remedy }: Required<Finding>): TestResult {
  // The remedy is already part of this notice.
  const translation = translateFinding({ code, sentence })
  return {
    hasPassed: false,
    title: translation?.meaning ?? sentence,
    details: (
      <>
        {translation?.remedy ?? remedy}
        <OriginalMessage text={translation?.original ?? null} />
      </>
    ),
  }
}

export interface Findings {
  faults: readonly Finding[]
  notes: readonly Finding[]
}

export function FindingList({ faults, notes }: Findings) {
  return (
    <ul>
      {[...faults, ...notes].map((finding) => (
        <li key={finding.sentence}>
          <FindingLines {...finding} />
        </li>
      ))}
    </ul>
  )
}

/** Quotes the message of another server, which is untrusted text. */
export function QuotedAnswer({ text }: { text: string | null }) {
  if (text === null) return null
  return <p>{rich('Response: {text}', { text: <PlainText text={text} /> })}</p>
}

export const toSeconds = (milliseconds: number): number => Math.round(milliseconds / 100) / 10
