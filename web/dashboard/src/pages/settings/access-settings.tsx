/** Access to the site: public, or limited to readers with a password, a signed link or organization membership. */

import { useQuery } from '@tanstack/react-query'
import { SITE_PASSWORD_LENGTHS } from '../../../../../src/base/api/form-limits.ts'
import type { SiteAccessState, SitePass } from '../../../../../src/features/hosting/operations/site-access.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import { confirmFirst, openDialog } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import type { Draft } from '../../forms/field-spec.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ItemRow, ItemRows } from '../../ui/item-rows.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { formatDurationUntil, formatRelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'

const accessQuery = (projectId: string) => internalQuery('getSiteAccess', { params: { projectId } })

export function AccessSettings({ project }: { project: ProjectDetail }) {
  const query = useQuery(accessQuery(project.id))
  return (
    <Loaded query={query} skeleton={<Skeleton class="h-40 w-full rounded-md" />}>
      {(access) => (
        <>
          <Section title={t('Readers')}>
            <SettingsForm<SiteAccessState>
              operation="updateSiteAccess"
              stored={access}
              fields={() => [
                {
                  name: 'isPrivate',
                  label: t('Private site'),
                  help: t(
                    'Only readers with access can open the site, including pages, search, Markdown, MCP and the assistant. Search engines are told not to index it.',
                  ),
                },
                {
                  name: 'admitsMembers',
                  label: t('Members may sign in to read'),
                  help: t('Everyone in this organization, regardless of role.'),
                },
              ]}
              question={(draft, before) => accessQuestion(draft, before, project)}
              save={async (body) => {
                const saved = await internal('updateSiteAccess', { params: { projectId: project.id }, body })
                queryClient.setQueryData(accessQuery(project.id).queryKey, saved)
                return saved
              }}
            />
          </Section>
          <Passes projectId={project.id} access={access} />
        </>
      )}
    </Loaded>
  )
}

/** Returns a confirmation that states who can read the site after the change. */
function accessQuestion(draft: Draft, before: Draft, { domains }: ProjectDetail) {
  const values = { domains: domains.join(', ') }
  if (draft.isPrivate !== before.isPrivate)
    return draft.isPrivate === true
      ? {
          title: t('Make the site private?'),
          action: t('Make it private'),
          text: [
            t('Within seconds, everyone who opens {domains} must sign in or enter a password.', values),
            draft.admitsMembers === true
              ? t('Members of this organization can sign in to read.')
              : t('Members of this organization cannot sign in to read.'),
            t('Readers with a password or a signed link keep access. Search engines will drop its pages.'),
          ].join(' '),
        }
      : {
          title: t('Make the site public?'),
          action: t('Make it public'),
          text: t(
            'Within seconds, everyone on the internet who opens {domains} can read it, and search engines may list its pages. Pages of groups stay protected.',
            values,
          ),
        }
  if (draft.isPrivate !== true || draft.admitsMembers === true) return null
  return {
    title: t('Stop members from reading?'),
    action: t('Stop members'),
    text: t(
      'Members of this organization can no longer read {domains}, unless they have a password or a signed link.',
      values,
    ),
  }
}

function Passes({
  projectId,
  access: { isPrivate, passes },
}: {
  projectId: string
  access: SiteAccessState
}) {
  return (
    <Section
      title={t('Passwords and signed links')}
      about={
        <>
          {t(
            'For readers without an account here. Programs send the token of a signed link as a bearer token.',
          )}
          {!isPrivate &&
            ` ${t('While the site is public, they only open pages that are limited to groups.')}`}
        </>
      }
    >
      <ItemRows label={t('Passwords and signed links')}>
        {passes.map((pass) => (
          <ItemRow key={pass.passId} title={pass.name} about={describePass(pass)}>
            {pass.kind === 'link' && (
              <Button size="small" look="quiet" onClick={() => showLink(projectId, pass.passId)}>
                {t('Show')}
              </Button>
            )}
            <Button size="small" look="quiet" onClick={() => deletePass(projectId, pass)}>
              {t('Delete')}
            </Button>
          </ItemRow>
        ))}
      </ItemRows>
      <div class="flex flex-wrap gap-2">
        <Button size="small" icon="key-round" onClick={() => createPass(projectId, 'password')}>
          {t('Add password')}
        </Button>
        <Button size="small" icon="link" onClick={() => createPass(projectId, 'link')}>
          {t('Create signed link')}
        </Button>
      </div>
    </Section>
  )
}

function describePass({ kind, groups: names, createdAt, expiresAt }: SitePass): string {
  const groups = names.join(', ')
  const password = groups === '' ? t('Password') : t('Password for {groups}', { groups })
  const link = groups === '' ? t('Signed link') : t('Signed link for {groups}', { groups })
  return [
    kind === 'password' ? password : link,
    t('created {when}', { when: formatRelativeTime(createdAt) }),
    ...(expiresAt === null ? [] : [describeExpiry(expiresAt)]),
  ].join(' · ')
}

function describeExpiry(at: string): string {
  return Date.parse(at) > Date.now()
    ? t('expires in {duration}', { duration: formatDurationUntil(at) })
    : t('expired')
}

const EXAMPLE_GROUPS = 'partners, beta'

function createPass(projectId: string, kind: 'password' | 'link'): void {
  const isPassword = kind === 'password'
  openDialog((close) => (
    <FieldsDialog
      operation="createSitePass"
      title={isPassword ? t('Add password') : t('Create signed link')}
      action={isPassword ? t('Add password') : t('Create link')}
      initial={{ days: 30 }}
      fields={() => [
        {
          name: 'name',
          label: t('For'),
          placeholder: t('Partners'),
          input: { required: true, autoFocus: true },
        },
        {
          name: 'password',
          kind: 'password',
          label: t('Password'),
          isHidden: !isPassword,
          help: t('At least {least} characters. Only a hash is stored, so it is never shown again.', {
            least: SITE_PASSWORD_LENGTHS.least,
          }),
          input: {
            required: true,
            minLength: SITE_PASSWORD_LENGTHS.least,
            autocomplete: 'new-password',
          },
        },
        {
          name: 'days',
          label: t('Expires after (days)'),
          isHidden: isPassword,
          input: { required: true, type: 'number', min: 1 },
        },
        {
          name: 'groups',
          label: t('Page groups'),
          example: EXAMPLE_GROUPS,
          help: t(
            'Names that pages list under groups in their frontmatter, separated by commas. If you enter a new set of groups, the site is published again.',
          ),
        },
      ]}
      onSubmit={async (body) => {
        const made = await internal('createSitePass', {
          params: { projectId },
          body: { ...body, kind } as never,
        })
        await queryClient.invalidateQueries({ queryKey: accessQuery(projectId).queryKey })
        toast({ kind: 'done', title: isPassword ? t('Password added') : t('Signed link created') })
        close()
        if (made.url !== null) showLink(projectId, made.passId)
      }}
      onClose={close}
    />
  ))
}

function showLink(projectId: string, passId: string): void {
  openDialog((close) => <LinkDialog projectId={projectId} passId={passId} onClose={close} />)
}

function LinkDialog(props: { projectId: string; passId: string; onClose: () => void }) {
  const { onClose, ...params } = props
  const query = useQuery(internalQuery('getSiteLink', { params }))
  return (
    <Dialog
      title={t('Signed link')}
      about={t('Anyone with this link can read the site until it expires or is deleted.')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <Loaded query={query} skeleton={<Skeleton class="h-10 w-full rounded-md" />}>
        {({ url }) =>
          url === null ? (
            <p class="text-soft">{t('The site has no active domain yet.')}</p>
          ) : (
            <CopyField text={url} label={t('Signed link')} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

function deletePass(projectId: string, { passId, kind, name }: SitePass): void {
  confirmFirst({
    title: kind === 'password' ? t('Delete this password?') : t('Delete this link?'),
    action: t('Delete'),
    text: t('Readers who use “{name}” lose access within seconds.', { name }),
    run: async () => {
      const answer = await internal('deleteSitePass', { params: { projectId, passId } })
      queryClient.setQueryData(accessQuery(projectId).queryKey, answer)
      toast({ kind: 'done', title: t('Deleted “{name}”', { name }) })
    },
  })
}
