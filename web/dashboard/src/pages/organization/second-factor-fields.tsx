/**
 * Fields for requiring a second factor, from when, and whether the provider's counts; used for organizations and the
 * server.
 */

import type { OrganizationSecurity } from '../../../../../src/features/accounts/operations/organization-security.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'

export interface RuleDraft {
  isRequired: boolean
  days: number
  providerCounts: boolean
}

const CHOICES = [0, 1, 3, 7, 14, 30, 60, 90]

export function toRuleDraft(rule: OrganizationSecurity['secondFactor']): RuleDraft {
  return rule === null
    ? { isRequired: false, days: 7, providerCounts: true }
    : { isRequired: true, days: rule.days, providerCounts: rule.providerCounts }
}

export function toRuleBody({ isRequired, days, providerCounts }: RuleDraft) {
  return isRequired ? { days, providerCounts } : null
}

interface RuleProps {
  rule: RuleDraft
  hasProvider: boolean
  isOff: boolean
  onChange: (change: Partial<RuleDraft>) => void
}

export function SecondFactorFields({
  rule,
  since,
  hasProvider,
  isOff = false,
  onChange,
}: Omit<RuleProps, 'isOff'> & { since: string | null; isOff?: boolean }) {
  return (
    <>
      <Switch
        label={t('Require a second factor')}
        about={
          since === null || !rule.isRequired
            ? t('Codes from an app, or a passkey. You need one yourself first.')
            : rich('Codes from an app, or a passkey. Required since {when}.', {
                when: <RelativeTime at={since} />,
              })
        }
        isOn={rule.isRequired}
        isOff={isOff}
        onChange={(isRequired) => onChange({ isRequired })}
      />
      {rule.isRequired && (
        <RuleFields rule={rule} hasProvider={hasProvider} isOff={isOff} onChange={onChange} />
      )}
    </>
  )
}

function RuleFields({ rule, hasProvider, isOff, onChange }: RuleProps) {
  const days = [...new Set([...CHOICES, rule.days])].sort((one, other) => one - other)
  return (
    <div class="mt-2 ml-[42px]">
      <Field
        label={t('Time to set one up')}
        hint={t('From when it is first required, and from when somebody joins.')}
      >
        {(field) => (
          <Select
            {...field}
            disabled={isOff}
            value={String(rule.days)}
            options={days.map((count) => ({
              value: String(count),
              label:
                count === 0 ? t('None', { context: 'time' }) : plural(count, '{count} day', '{count} days'),
            }))}
            onChange={(count) => onChange({ days: Number(count) })}
          />
        )}
      </Field>
      {hasProvider && (
        <Switch
          label={t('Single sign-on is enough')}
          about={t('The provider asks for a second factor itself.')}
          isOn={rule.providerCounts}
          isOff={isOff}
          onChange={(providerCounts) => onChange({ providerCounts })}
        />
      )}
    </div>
  )
}
