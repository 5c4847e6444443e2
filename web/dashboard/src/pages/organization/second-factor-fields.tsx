/**
 * Fields that require a second factor: the start date, and whether the provider's second factor is
 * sufficient. Used for organizations and the server.
 */

import type { OrganizationSecurity } from '../../../../../src/features/accounts/operations/organization-security.ts'
import { textOf } from '../../forms/draft.ts'
import type { Draft, FieldSpec } from '../../forms/field-spec.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'

const CHOICES = [0, 1, 3, 7, 14, 30, 60, 90]
const DAYS = 'secondFactor/days'
const ACCEPT_PROVIDER_FACTOR = 'secondFactor/providerCounts'

export function readRule(rule: OrganizationSecurity['secondFactor']) {
  return {
    secondFactor: rule !== null,
    [DAYS]: rule?.days ?? 7,
    [ACCEPT_PROVIDER_FACTOR]: rule?.providerCounts ?? true,
  }
}

export function toRuleBody(draft: Draft) {
  return draft.secondFactor === true
    ? { days: Number(textOf(draft, DAYS)), providerCounts: draft[ACCEPT_PROVIDER_FACTOR] === true }
    : null
}

export function secondFactorFields(
  draft: Draft,
  { since, hasProvider }: { since: string | null; hasProvider: boolean },
): readonly FieldSpec[] {
  const isRequired = draft.secondFactor === true
  const days = [...new Set([...CHOICES, Number(textOf(draft, DAYS))])].sort((one, other) => one - other)
  return [
    {
      name: 'secondFactor',
      kind: 'switch',
      label: t('Require a second factor'),
      help:
        since === null || !isRequired
          ? t('An authenticator app or a passkey. You must set one up yourself first.')
          : rich('An authenticator app or a passkey. Required since {when}.', {
              when: <RelativeTime at={since} />,
            }),
    },
    {
      name: DAYS,
      kind: 'select',
      label: t('Grace period'),
      help: t('Starts when a second factor is first required, or when someone joins later.'),
      isHidden: !isRequired,
      choices: days.map((count) => ({
        value: String(count),
        label: count === 0 ? t('None', { context: 'time' }) : plural(count, '{count} day', '{count} days'),
      })),
    },
    {
      name: ACCEPT_PROVIDER_FACTOR,
      label: t('Single sign-on is enough'),
      help: t('The provider requires its own second factor.'),
      isHidden: !isRequired || !hasProvider,
    },
  ]
}
