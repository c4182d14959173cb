/**
 * All tables lie in one schema and are keyed by the number of the store first, so that a database holds many stores and
 * can be partitioned by store; no statement looks at two of them.
 *
 * `journal` has one row for each transaction (more for one of many events): its touch rows in their packed form, the
 * hashes of its operations, and the token by which a writer whose answer was lost finds out that it had arrived.
 * `touched` tells in which rows a memory's id or a link occurs.
 *
 * Version n of the schema is made by the first n steps. A step that was released is never changed.
 */
export const STEPS: readonly string[] = [
  `
CREATE TABLE palimpsest.format (version integer NOT NULL);
INSERT INTO palimpsest.format VALUES (0);

CREATE TABLE palimpsest.stores (
  store bigint PRIMARY KEY,
  name text NOT NULL,
  seq bigint NOT NULL,
  epoch bigint NOT NULL
) WITH (fillfactor = 20);

CREATE TABLE palimpsest.objects (
  store bigint NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  kind smallint NOT NULL,
  seq bigint NOT NULL,
  at integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (store, hash)
);
CREATE INDEX objects_in_order ON palimpsest.objects (store, seq, at);

CREATE TABLE palimpsest.journal (
  store bigint NOT NULL,
  seq bigint NOT NULL,
  token uuid NOT NULL,
  touch bytea STORAGE EXTERNAL,
  ops bytea STORAGE EXTERNAL,
  PRIMARY KEY (store, seq)
);

CREATE TABLE palimpsest.touched (
  store bigint NOT NULL,
  key bytea NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (store, key, seq)
);

CREATE TABLE palimpsest.refs (
  store bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  target bytea NOT NULL CHECK (octet_length(target) = 32),
  meta json,
  PRIMARY KEY (store, name)
) WITH (fillfactor = 50);

CREATE TABLE palimpsest.side (
  store bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (store, key)
) WITH (fillfactor = 50);

CREATE TABLE palimpsest.vectors (
  store bigint NOT NULL,
  model text NOT NULL,
  key bytea NOT NULL,
  source bytea NOT NULL,
  vectors bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (store, model, key)
);
CREATE INDEX vectors_by_source ON palimpsest.vectors (store, source);

CREATE TABLE palimpsest.blobs (
  store bigint NOT NULL,
  name text NOT NULL,
  part integer NOT NULL,
  written timestamptz NOT NULL DEFAULT now(),
  bytes bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (store, name, part)
);

-- One transaction of the store. Answers its version, or null when it is stale and nothing was written. The row of the
-- store is the write lock; every statement after it sees what was committed before the lock was had.
CREATE FUNCTION palimpsest.write(
  p_store bigint, p_name text, p_first boolean, p_epoch bigint, p_at bigint,
  p_token uuid, p_since bigint, p_patience text, p_guard json, p_refs json,
  p_erases boolean, p_gone bytea[], p_texts bytea[], p_notes text[],
  p_touch bytea[], p_ops bytea, p_keys bytea,
  p_hashes bytea, p_kinds bytea, p_ends integer[], p_bytes bytea
) RETURNS bigint LANGUAGE plpgsql AS $write$
DECLARE
  v_seq bigint;
  v_epoch bigint;
  v_done bigint;
  v_rows integer := greatest(1, cardinality(p_touch));
  v_move json;
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
  -- An answer means that it is on the disk, whatever is set for the role or the database.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT seq, epoch INTO v_seq, v_epoch FROM palimpsest.stores WHERE store = p_store FOR UPDATE;
  IF NOT FOUND THEN
    IF NOT p_first THEN
      RETURN NULL;
    END IF;
    INSERT INTO palimpsest.stores VALUES (p_store, p_name, 0, 0) ON CONFLICT (store) DO NOTHING;
    SELECT seq, epoch INTO v_seq, v_epoch FROM palimpsest.stores WHERE store = p_store FOR UPDATE;
  END IF;

  SELECT max(seq) INTO v_done FROM palimpsest.journal
    WHERE store = p_store AND seq > p_since AND token = p_token;
  IF v_done IS NOT NULL THEN
    RETURN v_done;
  END IF;

  IF v_epoch <> p_epoch OR v_seq <> p_at THEN
    RETURN NULL;
  END IF;
  IF p_guard IS NOT NULL THEN
    -- Nobody changes the note before this is committed.
    PERFORM 1 FROM palimpsest.side WHERE store = p_store AND key = p_guard ->> 'key' FOR SHARE;
    IF (SELECT value FROM palimpsest.side WHERE store = p_store AND key = p_guard ->> 'key')
        IS DISTINCT FROM p_guard ->> 'value' THEN
      RETURN NULL;
    END IF;
  END IF;
  FOR v_move IN SELECT value FROM json_array_elements(p_refs) LOOP
    IF (SELECT target FROM palimpsest.refs WHERE store = p_store AND name = v_move ->> 'name')
        IS DISTINCT FROM decode(v_move ->> 'expect', 'hex') THEN
      RETURN NULL;
    END IF;
  END LOOP;

  FOR v_move IN SELECT value FROM json_array_elements(p_refs) LOOP
    IF v_move ->> 'target' IS NULL THEN
      DELETE FROM palimpsest.refs WHERE store = p_store AND name = v_move ->> 'name';
    ELSE
      INSERT INTO palimpsest.refs AS r (store, name, target, meta)
        VALUES (p_store, v_move ->> 'name', decode(v_move ->> 'target', 'hex'), v_move -> 'meta')
        ON CONFLICT (store, name) DO UPDATE SET target = excluded.target, meta = CASE
          WHEN excluded.meta IS NULL OR r.meta IS NULL THEN coalesce(excluded.meta, r.meta)
          WHEN v_move ->> 'join' IS NULL THEN excluded.meta
          ELSE (
            SELECT json_object_agg(said.key, said.value) FROM (
              SELECT o.key, o.value FROM json_each(r.meta) o
                WHERE o.key NOT IN (SELECT n.key FROM json_each(excluded.meta) n)
              UNION ALL SELECT n.key, n.value FROM json_each(excluded.meta) n
            ) said)
          END;
    END IF;
  END LOOP;

  IF p_erases THEN
    DELETE FROM palimpsest.vectors WHERE store = p_store AND source = ANY (p_texts);
    DELETE FROM palimpsest.side WHERE store = p_store AND key = ANY (p_notes);
  END IF;
  IF cardinality(p_gone) > 0 THEN
    DELETE FROM palimpsest.objects WHERE store = p_store AND hash = ANY (p_gone);
  END IF;
  INSERT INTO palimpsest.journal (store, seq, token, touch, ops)
    SELECT p_store, v_seq + i, p_token, p_touch[i], CASE WHEN i = v_rows THEN p_ops END
    FROM generate_series(1, v_rows) i;
  IF octet_length(p_keys) > 0 THEN
    INSERT INTO palimpsest.touched (store, key, seq)
      SELECT p_store, substring(p_keys FROM i * 35 + 4 FOR 32),
        v_seq + 1 + get_byte(p_keys, i * 35) * 65536 + get_byte(p_keys, i * 35 + 1) * 256 + get_byte(p_keys, i * 35 + 2)
      FROM generate_series(0, octet_length(p_keys) / 35 - 1) i;
  END IF;
  IF cardinality(p_ends) > 0 THEN
    -- A node that is put again counts as written now, so that upkeep which drops old nodes leaves it.
    INSERT INTO palimpsest.objects AS o (store, hash, kind, seq, at, bytes)
      SELECT p_store, substring(p_hashes FROM i * 32 - 31 FOR 32), get_byte(p_kinds, i - 1), v_seq + v_rows, i,
        substring(p_bytes FROM coalesce(p_ends[i - 1], 0) + 1 FOR p_ends[i] - coalesce(p_ends[i - 1], 0))
      FROM generate_series(1, cardinality(p_ends)) i
      ON CONFLICT (store, hash) DO UPDATE SET seq = excluded.seq, at = excluded.at WHERE o.kind = 7;
  END IF;
  UPDATE palimpsest.stores SET seq = v_seq + v_rows, epoch = v_epoch + p_erases::integer WHERE store = p_store;
  RETURN v_seq + v_rows;
END
$write$;

-- Takes objects out. The epoch moves in the same transaction when truth is among them.
CREATE FUNCTION palimpsest.remove(
  p_store bigint, p_hashes bytea[], p_after bigint, p_upto bigint, p_patience text
) RETURNS integer LANGUAGE plpgsql AS $remove$
DECLARE
  v_removed integer;
  v_truth integer;
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
  PERFORM 1 FROM palimpsest.stores WHERE store = p_store FOR UPDATE;
  WITH gone AS (
    DELETE FROM palimpsest.objects
      WHERE store = p_store AND hash = ANY (p_hashes) AND seq > p_after AND seq <= p_upto RETURNING kind
  )
  SELECT count(*), count(*) FILTER (WHERE kind <> 7) INTO v_removed, v_truth FROM gone;
  IF v_truth > 0 THEN
    UPDATE palimpsest.stores SET epoch = epoch + 1 WHERE store = p_store;
  END IF;
  RETURN v_removed;
END
$remove$;
`,
];
