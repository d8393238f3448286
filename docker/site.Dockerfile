# Worlds, the gateway and the grader: the web applications, their databases, tasks and verifiers; no browser, no agent.
# Built from the checkout: docker build -f docker/site.Dockerfile --target site .

FROM debian:bookworm-slim AS python
RUN apt-get -qq update \
 && apt-get -qq -y --no-install-recommends install python3 > /dev/null \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*

FROM python AS build
RUN apt-get -qq update && apt-get -qq -y --no-install-recommends install python3-pip python3-venv > /dev/null
WORKDIR /src
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1 PIP_ROOT_USER_ACTION=ignore
COPY constraints.txt docker/site.txt ./
RUN python3 -m venv --without-pip /opt/sitegym \
 && python3 -m pip --python /opt/sitegym/bin/python install -c constraints.txt -r site.txt \
 && python3 -m pip install -c constraints.txt --target /build setuptools \
 && rm -rf /opt/sitegym/lib/python3*/site-packages/flask_bootstrap/static/bootstrap4 \
           /opt/sitegym/lib/python3*/site-packages/flask_bootstrap/static/bootstrap5/css/bootswatch
COPY . .
RUN PYTHONPATH=/build python3 -m pip wheel --no-deps --no-build-isolation -w /wheel . \
 && python3 -m pip --python /opt/sitegym/bin/python install --no-deps --no-index /wheel/*.whl \
 && cd /opt/sitegym/lib/python3*/site-packages \
 && rm -rf sitegym/envs/static/fonts sitegym/agents sitegym/audit sitegym/cli sitegym/demo sitegym/sweeps sqlalchemy/testing

FROM python AS site
ARG VERSION=unknown
ARG CONTENT=unknown
LABEL org.opencontainers.image.title="sitegym site" \
      org.opencontainers.image.version=$VERSION \
      org.sitegym.content=$CONTENT
RUN install -d -m 0700 -o 10001 -g 10001 /run/control /run/grading /verdicts
COPY --from=build /opt/sitegym /opt/sitegym
ENV PATH=/opt/sitegym/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 TMPDIR=/tmp SITEGYM_CACHE=/tmp/cache
USER 10001:10001
WORKDIR /tmp
CMD ["python", "-m", "sitegym.sites.world.serving", "--control", "unix:/run/control/sock", "--token-file", "/run/secrets/token"]

FROM site AS grader
LABEL org.opencontainers.image.title="sitegym grader"
CMD ["python", "-m", "sitegym.envs.grader", "--control", "unix:/run/grading/sock", "--token-file", "/run/secrets/token", "--verdicts", "/verdicts"]
