import { useQuery } from '@tanstack/react-query'
import type { OrganizationSecurity } from '../../../../../src/features/accounts/operations/organization-security.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession, useHasPermission, useSession } from '../../app/session.ts'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { readRule, secondFactorFields, toRuleBody } from './second-factor-fields.tsx'

/** Security requirements for the organization's members. Owners set them, admins can see them. */
export function SecuritySection() {
  const mayChange = useHasPermission('organization')
  const hasProvider = useSession().signIn.sso !== null
  const query = useQuery(internalQuery('getOrganizationSecurity'))
  return (
    <Section title={t('Security')} about={t('Requirements for members. API keys are not affected.')}>
      <Loaded query={query} skeleton={<SkeletonRows label={t('Loading security rules')} count={2} />}>
        {(security) => (
          <SettingsForm<OrganizationSecurity, { mailDomains?: string[]; secondFactor?: unknown }>
            operation="updateOrganizationSecurity"
            stored={security}
            isOff={!mayChange}
            read={({ secondFactor, mailDomains }) => ({ ...readRule(secondFactor), mailDomains })}
            fields={(draft) => [
              {
                group: t('Second factor'),
                fields: secondFactorFields(draft, {
                  since: security.secondFactor?.since ?? null,
                  hasProvider,
                }),
              },
              {
                name: 'mailDomains',
                label: t('Email domains that may join'),
                help: t('Separated by commas; for invitations and single sign-on. Existing members stay.'),
                example: 'example.com',
                isOptional: true,
              },
            ]}
            save={async (_, { body, draft }) => {
              const saved = await internal('updateOrganizationSecurity', {
                body: { mailDomains: body.mailDomains ?? [], secondFactor: toRuleBody(draft) },
              })
              queryClient.setQueryData(internalKey('getOrganizationSecurity'), saved)
              await reloadSession()
              return saved
            }}
          />
        )}
      </Loaded>
    </Section>
  )
}
