# PostgreSQL for worlds in containers: on a Unix socket, in memory, with one role that may make databases.
# Built from the checkout: docker build -f docker/database.Dockerfile --target database .

FROM debian:bookworm-slim AS database
RUN apt-get -qq update \
 && DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install postgresql-15 > /dev/null \
 && rm -rf /usr/lib/*/libLLVM* /usr/lib/*/libz3* /usr/lib/postgresql/15/lib/bitcode /usr/lib/postgresql/15/lib/llvmjit* \
           /var/lib/postgresql /etc/ssl/private /var/lib/apt/lists/* /var/cache/apt/*
RUN useradd --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin sitegym \
 && install -d -m 0700 -o 10001 -g 10001 /run/database
COPY --chmod=0755 docker/database.sh /usr/local/bin/sitegym-database
ARG VERSION=unknown
ARG CONTENT=unknown
LABEL org.opencontainers.image.title="sitegym database" \
      org.opencontainers.image.version=$VERSION \
      org.sitegym.content=$CONTENT
ENV PATH=/usr/lib/postgresql/15/bin:$PATH
USER 10001:10001
WORKDIR /tmp
CMD ["sitegym-database", "/run/secrets/database"]
