import { PageHeader } from '../../ui/page.tsx'

export function MembersPage() {
  return <PageHeader title="Members" />
}
