import { PageHeader } from '../../ui/page.tsx'

export function AuditPage() {
  return <PageHeader title="Audit log" />
}
