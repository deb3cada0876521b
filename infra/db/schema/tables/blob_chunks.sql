-- Chunks of contents: one large value would have to be read as a whole.
create table blob_chunks (
  scope uuid not null,
  sha256 text not null,
  no integer not null,
  data bytea not null,
  foreign key (scope, sha256) references blobs (scope, sha256) on delete cascade,
  primary key (scope, sha256, no)
);

alter table blob_chunks alter column data set storage external;
