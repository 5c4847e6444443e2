import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { OrganizationSecurity } from '../../../../../src/features/accounts/operations/organization-security.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession, useHasPermission, useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { FieldSet } from '../../ui/field.tsx'
import { SaveOrDiscard, SubmissionForm, useFormSubmission } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { SecondFactorFields, toRuleBody, toRuleDraft } from './second-factor-fields.tsx'

/** Security requirements for the organization's members. Owners set them, admins can see them. */
export function SecuritySection() {
  const query = useQuery(internalQuery('getOrganizationSecurity'))
  return (
    <Section title={t('Security')} about={t('What members must have. API keys are not affected.')}>
      <Loaded query={query} skeleton={<SkeletonRows label={t('Loading security rules')} count={2} />}>
        {(security) => <SecurityForm security={security} />}
      </Loaded>
    </Section>
  )
}

const EXAMPLE_DOMAIN = 'example.com'
const FIELDS = ['mailDomains', 'secondFactor'] as const

function SecurityForm({ security }: { security: OrganizationSecurity }) {
  const mayChange = useHasPermission('organization')
  const { signIn } = useSession()
  const sending = useFormSubmission(FIELDS)
  const initial = { rule: toRuleDraft(security.secondFactor), domains: security.mailDomains.join(', ') }
  const [draft, setDraft] = useState(initial)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial)
  const save = async () => {
    const mailDomains = draft.domains.split(/[\s,]+/).filter((domain) => domain !== '')
    const saved = await internal('updateOrganizationSecurity', {
      body: { secondFactor: toRuleBody(draft.rule), mailDomains },
    })
    setDraft({ rule: toRuleDraft(saved.secondFactor), domains: saved.mailDomains.join(', ') })
    queryClient.setQueryData(internalKey('getOrganizationSecurity'), saved)
    await reloadSession()
    toast({ kind: 'done', title: t('The security rules are saved') })
  }
  return (
    <SubmissionForm sending={sending} onSubmit={save} noValidate>
      <FieldSet label={t('Second factor')}>
        <SecondFactorFields
          rule={draft.rule}
          since={security.secondFactor?.since ?? null}
          hasProvider={signIn.sso !== null}
          isOff={!mayChange}
          onChange={(change) => setDraft({ ...draft, rule: { ...draft.rule, ...change } })}
        />
      </FieldSet>
      <TextField
        label={t('E-mail domains that may join')}
        isOptional
        error={sending.faults.mailDomains}
        hint={t('Separated by commas; for invitations and single sign-on. Existing members stay.')}
        autocomplete="off"
        placeholder={EXAMPLE_DOMAIN}
        readOnly={!mayChange}
        value={draft.domains}
        onText={(domains) => setDraft({ ...draft, domains })}
      />
      {mayChange && (
        <SaveOrDiscard isDirty={isDirty} isBusy={sending.isBusy} onDiscard={() => setDraft(initial)} />
      )}
    </SubmissionForm>
  )
}
